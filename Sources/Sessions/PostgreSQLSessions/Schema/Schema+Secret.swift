extension Schema {
  /// Returns the key of the digests of request bodies.
  static func secret(_ connection: Connection) throws(PostgreSQLError) -> [UInt8] {
    let rows = try connection.run(Statement("secret", "SELECT secret FROM service"))
    guard rows.count == 1 else { throw .damaged("the secret is missing") }
    return rows.bytes(0, 0)
  }

  /// Replaces the secret by another store's if no node can have read it: there are no sessions, and only nodes that
  /// have stopped; returns whether it did.
  ///
  /// Nodes that start then wait for the end of the transaction. A node that seems dead may only have been cut off, and
  /// come back with the secret that it has read.
  static func takeOver(
    _ secret: [UInt8],
    _ connection: Connection
  ) throws(PostgreSQLError) -> Bool {
    let isUnread = try connection.run(Statement("unread_secret", "SELECT \(unread)")).bool(0, 0)
    guard isUnread else { return false }
    try connection.run("LOCK TABLE service IN ACCESS EXCLUSIVE MODE")
    guard try connection.run(takingOver, Parameters(secret)).count == 1 else {
      throw PostgreSQLError(kind: .refused(sqlState: "40001"), text: "a node has begun meanwhile")
    }
    return true
  }

  private static let takingOver = Statement(
    "take_over_secret",
    "UPDATE service SET secret = $1 WHERE \(unread) RETURNING TRUE"
  )

  private static let unread = """
    NOT EXISTS (SELECT FROM session)
    AND NOT EXISTS (SELECT FROM node WHERE gone IS DISTINCT FROM expires)
    """
}
