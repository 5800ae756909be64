/// Some of the sessions in which something was running when they were stored last.
package struct InterruptedSessions: Sendable, Equatable {
  package struct Item: Sendable, Equatable {
    package let id: SessionID
    package let viewModel: String

    package init(_ id: SessionID, viewModel: String) {
      self.id = id
      self.viewModel = viewModel
    }
  }

  package var sessions: [Item]
  /// After which number the others are; nil where there are none.
  package var next: Int64?

  package init(_ sessions: [Item] = [], next: Int64? = nil) {
    self.sessions = sessions
    self.next = next
  }
}
