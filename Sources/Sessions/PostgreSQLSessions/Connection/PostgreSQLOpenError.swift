/// The reason why a database could not be opened as a store; its description has no password.
package enum PostgreSQLOpenError: Error, Equatable, CustomStringConvertible {
  /// The connection string cannot be parsed.
  case malformed(String)
  case unreachable(String, String)
  /// The store's tables cannot be created or read.
  case unusable(String, String)
  /// Another process has locked the tables.
  case busy(String, String)
  /// The tables cannot be read; thrown to tools only.
  case unreadable(String, String)
  /// The database has no tables; thrown to tools only.
  case missing(String)
  /// The tables have an older schema; thrown to tools only, since a service migrates them.
  case older(String)
  /// The server, the tables' version, and the newest version that this program knows.
  case newer(String, Int, known: Int)

  package var description: String {
    switch self {
    case .malformed(let text): "the connection string of PostgreSQL cannot be understood: \(text)"
    case .unreachable(let server, let text):
      "PostgreSQL at \(server) cannot be reached (\(text))"
        + (ConnectionFault(text).advice.map { ": \($0)" } ?? "")
    case .unusable(let server, let text):
      "PostgreSQL at \(server) cannot keep sessions (\(text)): give the service a database of its own, whose"
        + " user may create tables"
    case .busy(let server, let text):
      "another process has the tables in PostgreSQL at \(server) for itself (\(text)): wait until it has imported"
        + " sessions, or brought them up to date"
    case .unreadable(let server, let text):
      "the sessions in PostgreSQL at \(server) cannot be read: \(text)"
    case .missing(let server):
      "PostgreSQL at \(server) has no tables yet: start a node once, or import sessions"
    case .older(let server):
      "the sessions in PostgreSQL at \(server) were written by an older version: start the service once, which"
        + " brings them up to date"
    case .newer(let server, let version, let known):
      "the sessions in PostgreSQL at \(server) are of the newer shape \(version), and this program knows up to"
        + " \(known): run the newer program"
    }
  }

  /// Whether the fault may pass by itself.
  package var isTransient: Bool {
    switch self {
    case .unreachable(_, let text): ConnectionFault(text).isTransient(text)
    case .busy: true
    default: false
    }
  }
}
