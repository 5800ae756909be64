import FusionPostgreSQLSessions
import FusionSQLiteSessions
package import FusionSessions
import Glibc

extension Configuration {
  /// The store that it asks for; nil keeps sessions in memory.
  ///
  /// Other nodes find this one by the address.
  func openStore(
    _ address: String,
    observe: @escaping @Sendable (StoreCommit) -> Void,
    report: @escaping @Sendable (SQLiteSessionStore.Event) -> Void,
    reportServer: @escaping @Sendable (PostgreSQLSessionStore.Event) -> Void
  ) throws -> (any SessionStore)? {
    if let makeSharedStore { return makeSharedStore(address) }
    switch data {
    case .memory: return nil
    case .folder(let folder): return try openStore(in: folder, observe, report)
    case .postgresql(let string): return try openStore(at: string, address, observe, reportServer)
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
    options.lockWait = lockWait
    options.vfs = storeVFS
    do {
      return try SQLiteSessionStore(folder: folder, options, observe: observe, report: report)
    } catch {
      throw ServiceError(
        description: "\(error): name another folder with --data, or --data memory"
      )
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
    let end = ContinuousClock.now + serverWait
    var isTold = false
    while true {
      do throws(PostgreSQLOpenError) {
        return try PostgreSQLSessionStore(string, options, observe: observe, report: report)
      } catch {
        guard error.mayPass, .now < end else { throw ServiceError(description: "\(error)") }
        if !isTold { report(.awaited("\(error)")) }
        isTold = true
        usleep(Self.serverPause)
      }
    }
  }

  /// How long nothing is asked of a server that could not be reached at the start, in microseconds.
  private static let serverPause: UInt32 = 500_000

  /// What this machine calls itself; empty where it does not tell.
  private static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// What the store has at the start.
  func inventory(of store: (any SessionStore)?) throws -> StoreInventory {
    guard let store else { return StoreInventory() }
    do {
      return try store.inventory()
    } catch {
      store.close()
      throw ServiceError(description: "the sessions in \(data) cannot be read: \(error.text)")
    }
  }
}

extension StoreError {
  /// For a person.
  package var text: String {
    switch self {
    case .unreachable(let text), .damaged(let text): text
    case .full, .conflict, .fenced, .inDoubt, .closed: "\(self)"
    }
  }
}
