import CFusionSQLite
import FusionSessions

/// The rows of a statement that runs; it ends with this.
@safe struct Rows: ~Copyable {
  private let database: Database
  private let statement: OpaquePointer

  init(_ database: Database, _ statement: OpaquePointer) {
    self.database = database
    unsafe self.statement = statement
  }

  deinit {
    unsafe sqlite3_reset(statement)
    // Else the statement keeps a copy of the bytes.
    unsafe sqlite3_clear_bindings(statement)
  }

  /// Valid until the next one is asked for.
  func next() throws(DatabaseError) -> Row? {
    switch unsafe sqlite3_step(statement) {
    case SQLITE_ROW: return unsafe Row(statement)
    case SQLITE_DONE: return nil
    case let code: throw database.error(code)
    }
  }
}

/// The current row of a statement; its columns are counted from 0.
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

  func names(_ column: Int32) throws(DatabaseError) -> [String] {
    guard let names = NameList.names(bytes(column)) else {
      throw .damaged("a list of names cannot be read")
    }
    return names
  }

  func bytes(_ column: Int32) -> [UInt8] {
    guard let start = unsafe sqlite3_column_blob(statement, column) else { return [] }
    let count = unsafe sqlite3_column_bytes(statement, column)
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: Int(count)))
  }
}
