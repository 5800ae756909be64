extension Connection {
  /// Connects to the server that takes changes.
  static func toPrimary(
    of settings: ConnectionSettings,
    timeout: Duration,
    setup: String,
    warned: @escaping @Sendable (Warning) -> Void
  ) throws(PostgreSQLError) -> Connection {
    do throws(PostgreSQLError) {
      return try Connection(settings, timeout: timeout, setup: setup, warned: warned)
    } catch {
      // libpq calls a server with a read-only setting what it calls a standby, and ends the connection.
      guard ConnectionFault(error.text) == .standby,
        let other = try? Connection(settings.ofAnyServer, timeout: timeout, setup: "")
      else { throw error }
      try other.requireFitness(for: PostgreSQLOptions())
      throw error
    }
  }

  /// Throws, in the words of libpq, if the server takes no changes or fewer connections than a store needs.
  func requireFitness(for options: PostgreSQLOptions) throws(PostgreSQLError) {
    let rows = try run(Self.fitness)
    let reason: String? =
      if rows.bool(0, 0) {
        "session is read-only"
      } else if rows.bool(0, 1) {
        "default_transaction_read_only is on"
      } else if !rows.isNull(0, 2), rows.int(0, 2) < options.connections {
        "too many connections for this user or database: the limit is \(rows.int(0, 2))"
      } else {
        nil
      }
    if let reason { throw PostgreSQLError(kind: .unreachable, text: reason) }
  }

  /// No limit holds for superusers.
  private static let fitness = Statement(
    "fitness",
    """
    SELECT pg_is_in_recovery(), current_setting('default_transaction_read_only') = 'on',
      CASE WHEN NOT rolsuper THEN least(nullif(rolconnlimit, -1), nullif(datconnlimit, -1)) END
    FROM pg_roles, pg_database WHERE rolname = session_user AND datname = current_database()
    """
  )
}
