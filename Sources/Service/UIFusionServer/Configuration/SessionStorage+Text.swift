import FusionPostgreSQLSessions

extension SessionStorage {
  /// Reads what the flag `--data` has.
  ///
  /// What is meant for a database and misspelt is no folder: it would be shown, with its password.
  package init(_ text: String) throws(BadValue) {
    if text == "memory" {
      self = .memory
    } else if PostgreSQLSessionStore.isConnectionString(text) {
      self = .postgresql(text)
    } else if Self.isMeantForServer(text) {
      throw BadValue(
        expected: "postgres://user@host/database, or the path of a folder",
        isShown: false
      )
    } else {
      self = .folder(text)
    }
  }

  /// Whether a text looks like how a server is reached, and so may have a password: as a URI (RFC 3986 §3), or
  /// as `keyword=value`.
  package static func isMeantForServer(_ text: String) -> Bool {
    if ["/", "./", "../", "~"].contains(where: text.hasPrefix) { return false }
    return text.contains(":/") || text.contains(":") && text.contains("@")
      || text.contains(#/\b(password|host|hostaddr|dbname)\s*=/#.ignoresCase())
  }
}

extension SessionStorage: CustomStringConvertible {
  /// As the flag `--data` has it; of a server without a password.
  public var description: String {
    switch self {
    case .memory: "memory"
    case .folder(let path): path
    case .postgresql(let string): PostgreSQLSessionStore.description(of: string)
    }
  }
}
