import CFusionSQLite
import FusionSessions

/// The rows of a running statement, which is reset when this value is destroyed.
@safe struct Rows: ~Copyable {
  private let database: Database
  private let statement: OpaquePointer

  init(_ database: Database, _ statement: OpaquePointer) {
    self.database = database
    unsafe self.statement = statement
  }

  deinit {
    unsafe sqlite3_reset(statement)
    // Otherwise the statement keeps a copy of the bytes.
    unsafe sqlite3_clear_bindings(statement)
  }

  /// Returns the next row, which is valid until the next call; nil after the last one.
  func next() throws(DatabaseError) -> Row? {
    switch unsafe sqlite3_step(statement) {
    case SQLITE_ROW: return unsafe Row(statement)
    case SQLITE_DONE: return nil
    case let code: throw database.error(code)
    }
  }
}

/// The current row of a statement; columns count from 0.
@safe struct Row {
  private let statement: OpaquePointer

  fileprivate init(_ statement: OpaquePointer) {
    unsafe self.statement = statement
  }

  func isNull(_ column: Int32) -> Bool {
    unsafe sqlite3_column_type(statement, column) == SQLITE_NULL
  }

  func integer(_ column: Int32) -> Int64 {
    unsafe sqlite3_column_int64(statement, column)
  }

  func int(_ column: Int32) -> Int { Int(integer(column)) }

  func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  func names(_ column: Int32) throws(DatabaseError) -> [String] {
    guard let names = NameList.names(bytes(column)) else {
      throw .damaged("a list of names cannot be read")
    }
    return names
  }

  func id(_ column: Int32) throws(DatabaseError) -> SessionID {
    guard let id = SessionID(bytes: bytes(column)) else { throw .damaged("an id has not 16 bytes") }
    return id
  }

  func time(_ column: Int32) -> WallTime { WallTime(milliseconds: integer(column)) }

  func bytes(_ column: Int32) -> [UInt8] {
    guard let start = unsafe sqlite3_column_blob(statement, column) else { return [] }
    let count = unsafe sqlite3_column_bytes(statement, column)
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: Int(count)))
  }
}
