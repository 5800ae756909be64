/// Why a server was not reached, as far as libpq's text tells it: of a connection that was refused it gives no
/// SQLSTATE.
enum ConnectionFault {
  case standby
  case unknownDatabase
  case unknownUser
  case password
  /// `pg_hba.conf` has no line for it.
  case notLetIn
  case certificate
  /// Nobody is there, or nobody answers.
  case away
  case other

  /// Of several servers, one that is away may come back, and what another says is the better advice.
  private static let texts: [(fault: Self, parts: [String])] = [
    (.standby, ["session is read-only", "hot standby mode"]),
    (.unknownDatabase, ["database \""]),
    (.unknownUser, ["role \""]),
    (.password, ["password authentication failed", "no password supplied"]),
    (.notLetIn, ["pg_hba.conf"]),
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

  /// What to do about it, to follow a colon; nil where the text has to do.
  var advice: String? {
    switch self {
    case .standby: "it is a standby: promote it, or name the primary"
    case .unknownDatabase: "create it (createdb), or name another"
    case .unknownUser: "create it (createuser), or name another"
    case .password: "check the password, which may also be in PGPASSWORD or PGPASSFILE"
    case .notLetIn: "have the server's pg_hba.conf let this user in from here"
    case .certificate: "check sslmode and sslrootcert, and whose name the server's certificate has"
    case .away: "check that it runs, and its address"
    case .other: nil
    }
  }

  /// Whether it may pass by itself.
  func mayPass(_ text: String) -> Bool {
    switch self {
    case .away, .standby, .other: true
    // Of several servers, one may come that lets it in.
    case .certificate: false
    case .unknownDatabase, .unknownUser, .password, .notLetIn:
      Self.texts.last?.parts.contains { text.contains($0) } == true
    }
  }
}
