/// The reason why a server was not reached, read from libpq's text: it gives no SQLSTATE for a refused connection.
enum ConnectionFault {
  case standby
  case unknownDatabase
  case unknownUser
  case password
  /// `pg_hba.conf` has no matching line.
  case notPermitted
  case certificate
  /// The server does not run, or does not answer.
  case away
  case other

  /// The parts of libpq's texts, the better advice first if several servers failed for different reasons.
  private static let texts: [(fault: Self, parts: [String])] = [
    (.standby, ["session is read-only", "hot standby mode"]),
    (.unknownDatabase, ["database \""]),
    (.unknownUser, ["role \""]),
    (.password, ["password authentication failed", "no password supplied"]),
    (.notPermitted, ["pg_hba.conf"]),
    (.certificate, ["certificate", "sslmode"]),
    (
      .away,
      [
        "Connection refused", "could not translate host name", "timeout expired",
        "No route to host",
        "No such file or directory", "Network is unreachable", "Connection timed out",
      ]
    ),
  ]

  init(_ text: String) {
    let found = Self.texts.first { entry in
      entry.parts.contains { text.contains($0) }
        && (entry.fault != .unknownDatabase && entry.fault != .unknownUser
          || text.contains("\" does not exist"))
    }
    self = found?.fault ?? .other
  }

  /// The advice that follows a colon; nil if there is none beyond the text.
  var advice: String? {
    switch self {
    case .standby: "it is a standby: promote it, or name the primary"
    case .unknownDatabase: "create it (createdb), or name another"
    case .unknownUser: "create it (createuser), or name another"
    case .password: "check the password, which may also be in PGPASSWORD or PGPASSFILE"
    case .notPermitted: "have the server's pg_hba.conf let this user in from here"
    case .certificate: "check sslmode and sslrootcert, and whose name the server's certificate has"
    case .away: "check that it runs, and its address"
    case .other: nil
    }
  }

  /// Returns whether the fault may pass by itself.
  func isTransient(_ text: String) -> Bool {
    switch self {
    case .away, .standby, .other: true
    case .certificate: false
    case .unknownDatabase, .unknownUser, .password, .notPermitted:
      // Another of several servers may come back.
      Self.texts.last?.parts.contains { text.contains($0) } == true
    }
  }
}
