import CFusionPostgreSQL

/// A connection as another program uses it.
package final class SQLConnection {
  private let handle: OpaquePointer?

  package init(_ connectionString: String) throws {
    handle = PQconnectdb(connectionString)
    guard PQstatus(handle) == CONNECTION_OK else { throw failure }
  }

  deinit {
    PQfinish(handle)
  }

  /// Runs statements; returns the first value of the first row, if any.
  @discardableResult
  package func run(_ sql: String) throws -> String? {
    let result = PQexec(handle, sql)
    defer { PQclear(result) }
    switch PQresultStatus(result) {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
      guard PQntuples(result) > 0, PQgetisnull(result, 0, 0) == 0 else { return nil }
      return PQgetvalue(result, 0, 0).map { String(cString: $0) }
    default: throw failure
    }
  }

  private var failure: PostgreSQLServer.Failure {
    .init(text: PQerrorMessage(handle).map { String(cString: $0) } ?? "")
  }
}
