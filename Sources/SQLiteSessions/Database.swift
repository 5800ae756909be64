import CSQLite

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
  /// How many pages the write-ahead log has, as of the last commit.
  private let logPages: UnsafeMutablePointer<Int32>

  /// Opens a file that exists, by a VFS or by SQLite's default one.
  init(_ path: String, _ access: Access, vfs: String? = nil) throws(DatabaseError) {
    unsafe logPages = .allocate(capacity: 1)
    unsafe logPages.initialize(to: 0)
    let mode = access == .read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    let flags = mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = unsafe sqlite3_open_v2(path, &handle, flags, vfs)
    guard code == SQLITE_OK else { throw error(code) }
    unsafe sqlite3_busy_timeout(handle, 5_000)
    // Checkpoints are made where no commit waits for them: see `checkpoint`.
    unsafe sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        unsafe context?.assumingMemoryBound(to: Int32.self).pointee = pages
        return SQLITE_OK
      },
      logPages
    )
  }

  deinit {
    close()
    unsafe logPages.deallocate()
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

  /// Moves the write-ahead log into the database where it has at least so many pages; does not wait
  /// for readers.
  func checkpoint(from pages: Int) {
    guard unsafe Int(logPages.pointee) >= pages else { return }
    // What fails now is tried again after the next commit, and until then nothing is lost.
    _ = unsafe sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
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
