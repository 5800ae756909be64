import CFusionSQLite
import Testing

/// Runs statements on a database file, as another program would.
func execute(_ sql: String, in path: String) throws {
  var handle: OpaquePointer?
  defer { sqlite3_close(handle) }
  try #require(sqlite3_open(path, &handle) == SQLITE_OK)
  try #require(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
}

/// Returns the integer of a query's first row.
func integer(_ sql: String, in path: String) throws -> Int {
  var (handle, statement): (OpaquePointer?, OpaquePointer?)
  defer {
    sqlite3_finalize(statement)
    sqlite3_close(handle)
  }
  try #require(sqlite3_open(path, &handle) == SQLITE_OK)
  try #require(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK)
  try #require(sqlite3_step(statement) == SQLITE_ROW)
  return Int(sqlite3_column_int64(statement, 0))
}
