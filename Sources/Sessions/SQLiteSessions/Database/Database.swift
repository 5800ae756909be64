import CFusionSQLite

/// A connection to a database file.
///
/// Belongs to one thread at a time. Statements are prepared once for each text.
@safe final class Database {
  enum Access {
    case read
    case write
  }

  enum Value {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    static func integer(_ value: Int) -> Value { .integer(Int64(value)) }
  }

  private var handle: OpaquePointer?
  private var statements: [String: OpaquePointer] = unsafe [:]
  /// See ``logPages``.
  private let pagesOfLog: UnsafeMutablePointer<Int32>

  /// Opens a file that exists, by a VFS or by SQLite's default one.
  init(_ path: String, _ access: Access, vfs: String? = nil) throws(DatabaseError) {
    unsafe pagesOfLog = .allocate(capacity: 1)
    unsafe pagesOfLog.initialize(to: 0)
    let mode = access == .read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    let flags = mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = unsafe sqlite3_open_v2(path, &handle, flags, vfs)
    guard code == SQLITE_OK else { throw error(code) }
    unsafe sqlite3_busy_timeout(handle, 5_000)
    // Checkpoints are made where no commit waits for them: see ``Checkpointer``.
    unsafe sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        unsafe context?.assumingMemoryBound(to: Int32.self).pointee = pages
        return SQLITE_OK
      },
      pagesOfLog
    )
  }

  deinit {
    close()
    unsafe pagesOfLog.deallocate()
  }

  /// Ends the connection; nothing may be asked of it later.
  func close() {
    unsafe statements.values.forEach { unsafe sqlite3_finalize($0) }
    unsafe statements = [:]
    unsafe sqlite3_close_v2(handle)
    unsafe handle = nil
  }
}

extension Database {
  var isInTransaction: Bool { unsafe handle != nil && sqlite3_get_autocommit(handle) == 0 }

  /// The access that was asked for may not have been granted.
  var isReadOnly: Bool { unsafe sqlite3_db_readonly(handle, "main") == 1 }

  /// Whether the last connection moves the write-ahead log into the database as it closes.
  func checkpointsOnClose(_ does: Bool) {
    _ = unsafe csq_checkpoint_on_close(handle, does ? 1 : 0)
  }

  /// How many pages the write-ahead log has, as of this connection's last commit.
  var logPages: Int { unsafe Int(pagesOfLog.pointee) }

  /// Moves what it can of the write-ahead log into the database, and does not wait for readers; nil where
  /// another connection is at it.
  func checkpoint() throws(DatabaseError) -> CheckpointPlan.Progress? {
    var (pages, moved): (Int32, Int32) = (0, 0)
    let mode = SQLITE_CHECKPOINT_PASSIVE
    let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, mode, &pages, &moved)
    switch code & 0xFF {
    case SQLITE_OK: return CheckpointPlan.Progress(pages: Int(pages), moved: Int(moved))
    case SQLITE_BUSY, SQLITE_LOCKED: return nil
    default: throw error(code)
    }
  }

  /// Runs a statement to its end.
  func run(_ sql: String, _ values: Value...) throws(DatabaseError) {
    let rows = try unsafe Rows(self, statement(sql, values))
    while try rows.next() != nil {}
  }

  /// Runs a statement for the rows that it gives.
  func rows(_ sql: String, _ values: Value...) throws(DatabaseError) -> Rows {
    try unsafe Rows(self, statement(sql, values))
  }

  /// The integer in a statement's only row; nil where there is none, or it is NULL.
  func integer(_ sql: String, _ values: Value...) throws(DatabaseError) -> Int64? {
    let rows = try unsafe Rows(self, statement(sql, values))
    guard let row = try rows.next(), !row.isNull(0) else { return nil }
    return row.integer(0)
  }

  func error(_ code: Int32) -> DatabaseError {
    let text = unsafe handle.map { unsafe String(cString: sqlite3_errmsg($0)) }
    return DatabaseError(code: code, text: text ?? "out of memory")
  }

  private func statement(
    _ sql: String,
    _ values: [Value]
  ) throws(DatabaseError) -> OpaquePointer {
    let statement = try unsafe prepared(sql)
    for (place, value) in zip(Int32(1)..., values) {
      let code =
        switch value {
        case .null: unsafe sqlite3_bind_null(statement, place)
        case .integer(let value): unsafe sqlite3_bind_int64(statement, place, value)
        case .text(let text):
          unsafe csq_bind_text(statement, place, text, Int32(clamping: text.utf8.count))
        case .blob(let bytes):
          unsafe csq_bind_blob(statement, place, bytes, Int32(clamping: bytes.count))
        }
      guard code == SQLITE_OK else { throw error(code) }
    }
    return unsafe statement
  }

  private func prepared(_ sql: String) throws(DatabaseError) -> OpaquePointer {
    if let statement = unsafe statements[sql] { return unsafe statement }
    var statement: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    let code = unsafe sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil)
    guard code == SQLITE_OK, let statement = unsafe statement else { throw error(code) }
    unsafe statements[sql] = statement
    return unsafe statement
  }
}
