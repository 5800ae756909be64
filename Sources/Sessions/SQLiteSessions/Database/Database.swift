import CFusionSQLite

/// A connection to a database file, used by one thread at a time.
///
/// Each SQL text is prepared once and kept.
@safe final class Database {
  enum Access {
    case read
    case write
  }

  /// The progress of a checkpoint, in pages of the write-ahead log.
  struct CheckpointProgress: Equatable {
    let pages: Int
    let moved: Int
  }

  private var handle: OpaquePointer?
  private var statements: [String: OpaquePointer] = unsafe [:]
  /// The storage of ``logPages``, which SQLite writes to.
  private let pagesOfLog: UnsafeMutablePointer<Int32>

  /// Opens an existing file through the named VFS, or SQLite's default one.
  init(_ path: String, _ access: Access, vfs: String? = nil) throws(DatabaseError) {
    unsafe pagesOfLog = .allocate(capacity: 1)
    unsafe pagesOfLog.initialize(to: 0)
    let mode = access == .read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    let flags = mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = unsafe sqlite3_open_v2(path, &handle, flags, vfs)
    guard code == SQLITE_OK else { throw error(code) }
    unsafe sqlite3_busy_timeout(handle, 5_000)
    // This hook replaces SQLite's own, which would run checkpoints within commits: see ``Checkpointer``.
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

  /// Closes the connection, which must not be used afterwards.
  func close() {
    unsafe statements.values.forEach { unsafe sqlite3_finalize($0) }
    unsafe statements = [:]
    unsafe sqlite3_close_v2(handle)
    unsafe handle = nil
  }
}

extension Database {
  var isInTransaction: Bool { unsafe handle != nil && sqlite3_get_autocommit(handle) == 0 }

  /// Whether SQLite opened the file for reading only, whatever access was requested.
  var isReadOnly: Bool { unsafe sqlite3_db_readonly(handle, "main") == 1 }

  /// Sets whether the last connection to close moves the write-ahead log into the database.
  func setCheckpointsOnClose(_ isEnabled: Bool) {
    _ = unsafe csq_checkpoint_on_close(handle, isEnabled ? 1 : 0)
  }

  /// The number of pages in the write-ahead log after this connection's last commit.
  var logPages: Int { unsafe Int(pagesOfLog.pointee) }

  /// Moves the write-ahead log into the database as far as readers allow, without waiting for them.
  ///
  /// Returns nil if another connection is running a checkpoint.
  func checkpoint() throws(DatabaseError) -> CheckpointProgress? {
    var (pages, moved): (Int32, Int32) = (0, 0)
    let mode = SQLITE_CHECKPOINT_PASSIVE
    let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, mode, &pages, &moved)
    switch code & 0xFF {
    case SQLITE_OK: return CheckpointProgress(pages: Int(pages), moved: Int(moved))
    case SQLITE_BUSY, SQLITE_LOCKED: return nil
    default: throw error(code)
    }
  }

  /// Runs a statement to its end.
  func run(_ sql: SQL) throws(DatabaseError) {
    let rows = try unsafe Rows(self, statement(sql))
    while try rows.next() != nil {}
  }

  /// Starts a statement and returns its rows.
  func rows(_ sql: SQL) throws(DatabaseError) -> Rows {
    try unsafe Rows(self, statement(sql))
  }

  /// Returns what a function reads from each row of a statement.
  func all<Value>(
    _ sql: SQL,
    _ read: (Row) throws(DatabaseError) -> Value
  ) throws(DatabaseError) -> [Value] {
    let rows = try rows(sql)
    var values: [Value] = []
    while let row = try rows.next() { values.append(try read(row)) }
    return values
  }

  /// Returns what a function reads from a statement's first row; nil if there is none.
  func first<Value>(
    _ sql: SQL,
    _ read: (Row) throws(DatabaseError) -> Value
  ) throws(DatabaseError) -> Value? {
    let rows = try rows(sql)
    guard let row = try rows.next() else { return nil }
    return try read(row)
  }

  /// Returns the integer in a statement's first row; nil if there is no row, or the integer is NULL.
  func integer(_ sql: SQL) throws(DatabaseError) -> Int64? {
    try first(sql) { $0.isNull(0) ? nil : $0.integer(0) } ?? nil
  }

  /// Runs a function in a transaction, which is rolled back where that fails.
  func transaction<Value>(
    _ begin: SQL = "BEGIN IMMEDIATE",
    _ body: () throws(DatabaseError) -> Value
  ) throws(DatabaseError) -> Value {
    do {
      try run(begin)
      let value = try body()
      try run("COMMIT")
      return value
    } catch {
      rollBack()
      throw error
    }
  }

  /// Rolls back, unless an error has done so already; after a failed ROLLBACK the next BEGIN fails.
  func rollBack() {
    if isInTransaction { try? run("ROLLBACK") }
  }

  func error(_ code: Int32) -> DatabaseError {
    let text = unsafe handle.map { unsafe String(cString: sqlite3_errmsg($0)) }
    return DatabaseError(code: code, text: text ?? "out of memory")
  }

  private func statement(_ sql: SQL) throws(DatabaseError) -> OpaquePointer {
    let statement = try unsafe prepared(sql.text)
    for (place, value) in zip(Int32(1)..., sql.values) {
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
