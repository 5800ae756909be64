/// The answer to Inputs, in what it takes to give it again.
///
/// Of a snapshot it keeps the State alone, whose bytes all receipts of one version share.
package struct Receipt: Sendable, Equatable {
  package enum Kind: UInt8, Sendable {
    /// They were taken up, and this is what came of it.
    case unsettled
    /// As `unsettled`, and nothing that they started is left.
    case settled
    /// They were taken up; the client wants to know no more than the version.
    case brief
    /// They stand in the queue.
    case queued
  }

  package let kind: Kind
  package let version: Int
  /// As JSON; empty in a brief one.
  package let state: [UInt8]
  /// Which of its preferences the client is told to have been applied.
  package let preferences: String

  package init(_ kind: Kind, _ snapshot: Snapshot, preferences: String) {
    self.kind = kind
    version = snapshot.version
    state = kind == .brief ? [] : snapshot.state
    self.preferences = preferences
  }
  package init(_ kind: Kind, version: Int, state: [UInt8], preferences: String) {
    self.kind = kind
    self.version = version
    self.state = state
    self.preferences = preferences
  }
}
