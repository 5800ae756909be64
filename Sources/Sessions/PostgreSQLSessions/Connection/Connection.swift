import CFusionPostgreSQL
import Glibc

/// An SQL statement that each connection prepares once.
struct Statement: Sendable {
  let name: String
  let sql: String
  /// Whether success requires the synchronous standbys, if the server has any.
  let awaitsStandby: Bool

  init(_ name: String, awaitsStandby: Bool = false, _ sql: String) {
    self.name = name
    self.sql = sql
    self.awaitsStandby = awaitsStandby
  }
}

/// A connection to a server, used by one thread at a time.
///
/// A statement without an answer in time ends the connection and is never cancelled: a cancelled commit that waits
/// for a standby would be visible without having reached it.
@safe final class Connection {
  private let handle: OpaquePointer
  /// The most time that a statement may take.
  var timeout: Duration
  private var prepared: Set<String> = []
  private let notices: UnsafeMutablePointer<Notices>

  /// The server's notices.
  private struct Notices {
    let tell: @Sendable (Warning) -> Void
    /// The warning that a change did not wait for a standby, if one came since the last statement was sent.
    var unreplicated: String?
    var hasEnded = false
  }

  /// Connects to the server, and runs the setup.
  init(
    _ settings: ConnectionSettings,
    timeout: Duration,
    setup: String,
    warned: @escaping @Sendable (Warning) -> Void = { _ in }
  ) throws(PostgreSQLError) {
    let values = unsafe settings.values.map { unsafe (strdup($0), strdup($1)) }
    defer {
      unsafe values.forEach { (keyword, value) in
        unsafe free(keyword)
        unsafe free(value)
      }
    }
    let keywords = unsafe values.map { unsafe UnsafePointer($0.0) } + [nil]
    let texts = unsafe values.map { unsafe UnsafePointer($0.1) } + [nil]
    guard let handle = unsafe PQconnectdbParams(keywords, texts, 0) else {
      throw PostgreSQLError(kind: .unreachable, text: "out of memory")
    }
    unsafe self.handle = handle
    self.timeout = timeout
    unsafe notices = .allocate(capacity: 1)
    unsafe notices.initialize(to: Notices(tell: warned))
    guard unsafe PQstatus(handle) == CONNECTION_OK, unsafe PQsetnonblocking(handle, 1) == 0 else {
      throw PostgreSQLError(kind: .unreachable, text: reason)
    }
    unsafe PQsetNoticeReceiver(
      handle,
      { notices, notice in
        let notices = unsafe notices?.assumingMemoryBound(to: Notices.self)
        switch unsafe DiagnosticField.severity.text(in: notice) {
        case "WARNING":
          let warning = unsafe Warning(notice)
          if warning.isOfStandby { unsafe notices?.pointee.unreplicated = warning.text }
          unsafe notices?.pointee.tell(warning)
        case "FATAL", "PANIC": unsafe notices?.pointee.hasEnded = true
        default: break
        }
      },
      notices
    )
    _ = try run(setup)
  }

  deinit {
    unsafe PQfinish(handle)
    unsafe notices.deinitialize(count: 1)
    unsafe notices.deallocate()
  }

  /// Whether the connection has ended while idle, or has a transaction open.
  var isSpent: Bool {
    var descriptor = unsafe pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
    while unsafe poll(&descriptor, 1, 0) != 0 {
      if unsafe PQconsumeInput(handle) == 0 { return true }
    }
    // PQisBusy parses the input: a server that ends a connection says so first.
    _ = unsafe PQisBusy(handle)
    return unsafe notices.pointee.hasEnded || PQtransactionStatus(handle) != PQTRANS_IDLE
  }
}

extension Connection {
  /// Runs a text without parameters, of one statement or more.
  @discardableResult
  func run(_ sql: String) throws(PostgreSQLError) -> Rows {
    try answer { unsafe PQsendQuery(handle, sql) }
  }

  @discardableResult
  func run(
    _ statement: Statement,
    _ parameters: Parameters = Parameters()
  ) throws(PostgreSQLError) -> Rows {
    if !prepared.contains(statement.name) {
      let types = parameters.types
      do throws(PostgreSQLError) {
        _ = try answer {
          unsafe PQsendPrepare(handle, statement.name, statement.sql, Int32(types.count), types)
        }
      } catch {
        // Preparing changes nothing, so nothing is in doubt.
        if case .lost = error.kind { throw PostgreSQLError(kind: .unreachable, text: error.text) }
        throw error
      }
      prepared.insert(statement.name)
    }
    let rows = try answer {
      unsafe parameters.send { (values, lengths, formats) in
        let count = Int32(lengths.count)
        return unsafe PQsendQueryPrepared(
          handle,
          statement.name,
          count,
          values,
          lengths,
          formats,
          1
        )
      }
    }
    // A cancelled wait for a standby ends as a success with a warning
    // (https://www.postgresql.org/docs/current/runtime-config-wal.html#GUC-SYNCHRONOUS-COMMIT).
    if statement.awaitsStandby, let text = unsafe notices.pointee.unreplicated {
      throw PostgreSQLError(kind: .notReplicated, text: text)
    }
    return rows
  }

  /// Reads something in a transaction that sees the database as of one moment.
  ///
  /// Where that fails, the transaction stays open: the connection is spent.
  func inSnapshot<Found>(
    _ read: @autoclosure () throws(PostgreSQLError) -> Found
  ) throws(PostgreSQLError) -> Found {
    try run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    let found = try read()
    try run("COMMIT")
    return found
  }

  private func answer(_ send: () -> Int32) throws(PostgreSQLError) -> Rows {
    unsafe notices.pointee.unreplicated = nil
    guard send() == 1 else { throw PostgreSQLError(kind: .unreachable, text: reason) }
    let end = ContinuousClock.now + timeout
    var first: Rows?
    while true {
      try waitForResult(until: end)
      guard let result = unsafe PQgetResult(handle) else { break }
      let rows = unsafe Rows(result)
      // Of several results, a failed one is the last.
      if first == nil || rows.refusal != nil { first = rows }
    }
    guard let first else { throw PostgreSQLError(kind: .lost, text: reason) }
    guard let refusal = first.refusal else { return first }
    if unsafe PQstatus(handle) == CONNECTION_BAD {
      throw PostgreSQLError(kind: .lost, text: refusal.text)
    }
    throw refusal
  }

  private func waitForResult(until end: ContinuousClock.Instant) throws(PostgreSQLError) {
    while true {
      let isUnsent = unsafe PQflush(handle)
      guard isUnsent >= 0 else { throw PostgreSQLError(kind: .lost, text: reason) }
      if isUnsent == 0, unsafe PQisBusy(handle) == 0 { return }
      let events = isUnsent == 1 ? POLLIN | POLLOUT : POLLIN
      var descriptor = unsafe pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
      let left = (end - .now).components
      let milliseconds = left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000
      let count = unsafe poll(&descriptor, 1, Int32(clamping: max(0, milliseconds)))
      guard count != 0 else {
        throw PostgreSQLError(kind: .lost, text: "the server has not answered in \(timeout)")
      }
      if count > 0, descriptor.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0,
        unsafe PQconsumeInput(handle) == 0
      {
        throw PostgreSQLError(kind: .lost, text: reason)
      }
    }
  }

  /// libpq's message about the connection in one line; it names hosts and users, but no password.
  private var reason: String {
    let text = unsafe String(cString: PQerrorMessage(handle))
    let lines = text.split(separator: "\n").map { $0.drop { $0 == "\t" || $0 == " " } }
    return lines.isEmpty ? "the connection has ended" : lines.joined(separator: " ")
  }
}

extension Connection {
  /// Connects to the server that takes changes.
  static func toPrimary(
    of settings: ConnectionSettings,
    timeout: Duration,
    setup: String,
    warned: @escaping @Sendable (Warning) -> Void
  ) throws(PostgreSQLError) -> Connection {
    do throws(PostgreSQLError) {
      return try Connection(settings, timeout: timeout, setup: setup, warned: warned)
    } catch {
      // libpq calls a server with a read-only setting what it calls a standby, and ends the connection.
      guard ConnectionFault(error.text) == .standby,
        let other = try? Connection(settings.ofAnyServer, timeout: timeout, setup: "")
      else { throw error }
      try other.requireFitness(for: PostgreSQLOptions())
      throw error
    }
  }

  /// Throws, in the words of libpq, if the server takes no changes or fewer connections than a store needs.
  func requireFitness(for options: PostgreSQLOptions) throws(PostgreSQLError) {
    let rows = try run(Self.fitness)
    let reason: String? =
      if rows.bool(0, 0) {
        "session is read-only"
      } else if rows.bool(0, 1) {
        "default_transaction_read_only is on"
      } else if !rows.isNull(0, 2), rows.int(0, 2) < options.connections {
        "too many connections for this user or database: the limit is \(rows.int(0, 2))"
      } else {
        nil
      }
    if let reason { throw PostgreSQLError(kind: .unreachable, text: reason) }
  }

  /// No limit holds for superusers.
  private static let fitness = Statement(
    "fitness",
    """
    SELECT pg_is_in_recovery(), current_setting('default_transaction_read_only') = 'on',
      CASE WHEN NOT rolsuper THEN least(nullif(rolconnlimit, -1), nullif(datconnlimit, -1)) END
    FROM pg_roles, pg_database WHERE rolname = session_user AND datname = current_database()
    """
  )
}
