import Dispatch
import FusionPostgreSQLSessions
import FusionSQLiteSessions
package import FusionSessions
import Glibc

extension Configuration {
  /// Opens the configured store.
  ///
  /// - Parameters:
  ///   - address: the address at which other nodes reach this one.
  ///   - metrics: counts commits.
  ///   - log: takes the stores' events.
  /// - Returns: the store; nil for sessions in memory.
  /// - Throws: ``ServiceError``, which names the folder or database.
  func openStore(
    _ address: String,
    _ metrics: ServiceMetrics,
    _ log: Log
  ) throws -> (any SessionStore)? {
    if let makeSharedStore { return makeSharedStore(address) }
    switch data {
    case .memory: return nil
    case .folder(let folder):
      return try openStore(in: folder, { metrics.count($0) }) {
        metrics.count($0)
        log.report($0)
      }
    case .postgresql(let string):
      return try openStore(at: string, address, { metrics.count($0) }, { log.report($0) })
    }
  }

  private func openStore(
    in folder: String,
    _ observe: @escaping @Sendable (StoreCommit) -> Void,
    _ report: @escaping @Sendable (SQLiteSessionStore.Event) -> Void
  ) throws -> SQLiteSessionStore {
    var options = SQLiteSessionStore.Options()
    options.durability = durability == .full ? .full : .relaxed
    options.historyBytes = maxHistory
    options.historyAge = historyAge
    options.lockWait = lockWait
    options.vfs = storeVFS
    do {
      return try SQLiteSessionStore(folder: folder, options, observe: observe, report: report)
    } catch {
      throw ServiceError("\(error): name another folder with --data, or --data memory")
    }
  }

  private func openStore(
    at string: String,
    _ address: String,
    _ observe: @escaping @Sendable (StoreCommit) -> Void,
    _ report: @escaping @Sendable (PostgreSQLSessionStore.Event) -> Void
  ) throws -> PostgreSQLSessionStore {
    var options = PostgreSQLSessionStore.Options()
    options.isRelaxed = durability == .relaxed
    options.name = Self.hostName
    options.address = address
    if keptDays > 0 { (options.historyAge, options.historyBytes) = (historyAge, maxHistory) }
    let end = ContinuousClock.now + serverWait
    var isReported = false
    while true {
      do throws(PostgreSQLOpenError) {
        return try PostgreSQLSessionStore(string, options, observe: observe, report: report)
      } catch {
        guard error.isTransient, .now < end else { throw ServiceError("\(error)") }
        if !isReported { report(.awaited("\(error)")) }
        isReported = true
        usleep(Self.serverPause)
      }
    }
  }

  /// The age at which history is dropped: a day more, as the oldest version may need an earlier State in whole.
  private var historyAge: Duration? {
    keptDays > 0 ? .seconds((keptDays + 1) * 24 * 3_600) : nil
  }

  /// The days for which each version is kept.
  var keptDays: Int {
    if case .folder = data { return historyDays ?? (isInspected ? 1 : 0) }
    return historyDays ?? 0
  }

  /// Whether sessions may be inspected.
  var isInspected: Bool { inspect ?? isReachedFromHereAlone }

  /// The reader of stored versions; nil if they may not be inspected, or sessions are in memory.
  var inspector: SessionInspector? {
    guard isInspected, data != .memory, makeSharedStore == nil else { return nil }
    let data = data
    let queue = DispatchQueue(label: "inspector")
    return SessionInspector(on: { queue.async(execute: $0) }) {
      switch data {
      case .memory: throw StoreError.closed
      case .folder(let folder): try SQLiteSessionArchive(folder: folder)
      case .postgresql(let string): try PostgreSQLSessionArchive(string, onlyToRead: true)
      }
    }
  }

  /// Whether, by the settings, only this machine reaches the service.
  private var isReachedFromHereAlone: Bool {
    answersLoopbackNamesAlone && trustedProxies.isEmpty && allowOrigins.isEmpty
      && nodeAddress == nil && basePath == Configuration().basePath
  }

  /// The pause between two attempts to reach a database, in microseconds.
  private static let serverPause: UInt32 = 500_000

  /// The host name of this machine; empty if the system does not tell.
  private static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Reads the inventory of a store at the start.
  func inventory(of store: (any SessionStore)?) throws -> StoreInventory {
    guard let store else { return StoreInventory() }
    do {
      return try store.inventory()
    } catch {
      store.close()
      throw ServiceError("cannot read the sessions in \(data): \(error.text)")
    }
  }
}

extension StoreError {
  /// The message of the error.
  package var text: String {
    switch self {
    case .unreachable(let text), .damaged(let text): text
    case .full, .conflict, .taken, .fenced, .inDoubt, .closed: "\(self)"
    }
  }
}
