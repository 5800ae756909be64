/// What one commit of a store was, for whoever measures.
package struct StoreCommit: Sendable {
  /// How many changes it had.
  package let changes: Int
  /// How many log entries were in them.
  package let entries: Int
  package let duration: Duration
  /// Whether it failed, and with it all of its changes.
  package let hasFailed: Bool

  package init(changes: Int, entries: Int, duration: Duration, hasFailed: Bool) {
    self.changes = changes
    self.entries = entries
    self.duration = duration
    self.hasFailed = hasFailed
  }
}
