/// The reason why a server was not reached, read from libpq's text: it gives no SQLSTATE for a refused connection.
enum ConnectionFault {
  /// A setting of the server, the database or the user forbids changes.
  case readOnly
  case standby
  /// The server, the database or the user has no connection left.
  case connections
  case unknownDatabase
  case unknownUser
  case password
  /// `pg_hba.conf` asks for an identity that this process does not have.
  case identity
  /// `pg_hba.conf` has no matching line.
  case notPermitted
  /// The user may not log in, or not into this database.
  case noRight
  /// The database is closed to everybody.
  case closed
  /// The server does not know a setting in the connection string.
  case setting
  case certificate
  /// The server starts, stops or recovers.
  case starting
  /// The server does not run, or does not answer.
  case away
  case other

  /// The patterns of libpq's texts, the better advice first if several servers failed for different reasons.
  private static var patterns: [(fault: Self, pattern: Regex<Substring>)] {
    [
      (.readOnly, /default_transaction_read_only|read-only transaction/),
      (.standby, /session is read-only|hot standby mode/),
      (.connections, /too many (?:connections|clients)|connection slots are reserved/),
      (.unknownDatabase, /database ".*?" does not exist/),
      (.unknownUser, /role ".*?" does not exist/),
      (.noRight, /permission denied for database|is not permitted to log in/),
      (.closed, /is not currently accepting connections/),
      (.password, /password authentication failed|no password supplied/),
      (.notPermitted, /pg_hba\.conf/),
      (.identity, /authentication failed/),
      (.setting, /configuration parameter|(?:for|set) parameter "|parameter ".*?" cannot be/),
      (.certificate, /certificate|sslmode|private key|support SSL|SSL is not/),
      (.starting, /database system is (?:starting|shutting|in recovery|not )/),
      (.away, outage),
    ]
  }

  private static var outage: Regex<Substring> {
    /Connection refused|could not translate host name|timeout expired|No route to host|No such file or directory|Network is unreachable|Connection timed out/
  }

  init(_ text: String) {
    self = Self.patterns.first { text.contains($0.pattern) }?.fault ?? .other
  }

  /// The advice that follows a colon; nil if there is none beyond the text.
  var advice: String? {
    switch self {
    case .readOnly:
      "turn default_transaction_read_only off for the server, the database and the user"
    case .standby: "it is a standby: promote it, or name the primary"
    case .connections:
      "each process needs \(PostgreSQLOptions().connections) connections: raise CONNECTION LIMIT of the user and"
        + " the database, or max_connections of the server"
    case .unknownDatabase: "create it (createdb), or name another"
    case .unknownUser: "create it (createuser), or name another"
    case .noRight: "let the user log in (ALTER ROLE … LOGIN, GRANT CONNECT ON DATABASE …)"
    case .closed: "open it (ALTER DATABASE … ALLOW_CONNECTIONS true), or name another"
    case .password: "check the password, which may also be in PGPASSWORD or PGPASSFILE"
    case .identity:
      "name the user that pg_hba.conf expects, or have it ask this user for a password"
    case .notPermitted: "have the server's pg_hba.conf let this user in from here"
    case .setting: "correct that setting in the connection string, or in PGOPTIONS"
    case .certificate: "check sslmode and sslrootcert, and whose name the server's certificate has"
    case .starting: "wait until it has started"
    case .away: "check that it runs, and its address"
    case .other: nil
    }
  }

  /// Returns whether the fault may pass without a change of the settings of this process or its user.
  func isTransient(_ text: String) -> Bool {
    switch self {
    case .away, .starting, .standby, .readOnly, .connections, .closed, .other: true
    case .certificate: false
    case .unknownDatabase, .unknownUser, .password, .identity, .notPermitted, .noRight, .setting:
      // Another of several servers may come back.
      text.contains(Self.outage)
    }
  }
}

extension String {
  /// This text of libpq or the server, and what to do about it.
  var withAdvice: String { self + (ConnectionFault(self).advice.map { ": \($0)" } ?? "") }
}
