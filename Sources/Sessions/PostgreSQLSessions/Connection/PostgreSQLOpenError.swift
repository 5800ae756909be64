/// What keeps a database from being a store, for a person; never with a password.
package enum PostgreSQLOpenError: Error, Equatable, CustomStringConvertible {
  /// The connection string cannot be understood.
  case malformed(String)
  case unreachable(String, String)
  /// It is there, and takes no changes.
  case standby(String)
  /// It is there, but the store's tables cannot be made or read.
  case unusable(String, String)
  /// Another process has the tables for itself.
  case busy(String, String)
  /// It is there, and cannot be read; only tools mind.
  case unreadable(String, String)
  /// There are no tables; only tools mind.
  case missing(String)
  /// The tables have an older shape; only tools mind, since a service brings them up to date.
  case older(String)
  /// The tables are of a newer version.
  case newer(String, Int, known: Int)

  package var description: String {
    switch self {
    case .malformed(let text): "the connection string of PostgreSQL cannot be understood: \(text)"
    case .unreachable(let server, let text):
      "PostgreSQL at \(server) cannot be reached (\(text))"
        + (ConnectionFault(text).advice.map { ": \($0)" } ?? "")
    case .standby(let server):
      "PostgreSQL at \(server) is a standby, which takes no changes: promote it, or name the primary"
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

  /// Whether waiting may mend it.
  package var mayPass: Bool {
    switch self {
    case .unreachable(_, let text): ConnectionFault(text).mayPass(text)
    case .busy: true
    default: false
    }
  }
}
