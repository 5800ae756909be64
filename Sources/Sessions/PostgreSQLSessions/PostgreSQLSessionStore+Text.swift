/// The text that tells how to reach a server.
extension PostgreSQLSessionStore {
  /// Whether a text begins as a connection string does; a scheme may be in capitals (RFC 3986 §3.1).
  package static func isConnectionString(_ text: String) -> Bool {
    ConnectionSettings.schemes.contains { text.lowercased().hasPrefix($0) }
  }

  /// The text that `--data` takes, without what nobody else should see.
  package static func description(of connectionString: String) -> String {
    (try? ConnectionSettings(connectionString))?.description ?? "postgres://…"
  }
}
