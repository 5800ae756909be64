/// A process's right to the sessions of its store: all of them where it has the store alone (``SoleOwnership``), those
/// that it has acquired under a lease if nodes share the store.
package protocol SessionOwnership: AnyObject, Sendable {
  /// Whether nodes share the store: then ids that this node does not know may be ids of sessions.
  var isShared: Bool { get }

  /// Whether this node may answer for its sessions at this moment.
  var isHeld: Bool { get }

  /// This process as other nodes know it; changes when other nodes may have taken all its sessions.
  var node: Node? { get }

  /// The time since the ownership was last confirmed.
  var age: Duration { get }

  /// The pause between searches for sessions whose node died at work; nil if one search, at the start, is enough.
  var takeOverPause: Duration? { get }

  /// Keeps the ownership for as long as the task runs; calls `tell` on that task, one event after another.
  func keep(_ tell: @escaping @Sendable (OwnershipEvent) -> Void) async throws

  /// Returns the failure to wake a session that this process cannot read.
  func unreadable(viewModel: String) -> WakeFailure

  /// Whether a session that could not be woken for this reason has to be tried again: no recovery of the store will
  /// wake it.
  func mustRetry(after failure: WakeFailure?) -> Bool

  /// Finds the other living nodes, also those without an address; `done` is called once, with nil if they are
  /// unknown.
  func findOtherNodes(_ done: @escaping @Sendable ([Node]?) -> Void)

  /// Ends sessions in the store that no node owns and that were not used for `idleTime`.
  func expireUnowned(unusedFor idleTime: Duration)
}

/// A change of an ownership.
package enum OwnershipEvent: Sendable {
  /// This process is a new node: no node owns the sessions that it had before.
  case joined(Node)
  /// The lease could not be renewed in time: nothing is answered for until it can be.
  case silenced
  /// The lease was renewed after all, and nothing is lost.
  case restored
  /// The lease has expired: this node's sessions may be another's.
  case lost
}

/// The ownership of a process that has its store alone: all sessions are its own for as long as it runs.
package final class SoleOwnership: SessionOwnership {
  package init() {}

  package var isShared: Bool { false }
  package var isHeld: Bool { true }
  package var node: Node? { nil }
  package var age: Duration { .zero }
  package var takeOverPause: Duration? { nil }

  package func keep(_ tell: @escaping @Sendable (OwnershipEvent) -> Void) {}

  package func unreadable(viewModel: String) -> WakeFailure { .unreadable(viewModel: viewModel) }

  /// The store's recovery wakes all.
  package func mustRetry(after failure: WakeFailure?) -> Bool { false }

  package func findOtherNodes(_ done: @escaping @Sendable ([Node]?) -> Void) { done(nil) }

  /// Does nothing: this process ends all idle sessions itself.
  package func expireUnowned(unusedFor idleTime: Duration) {}
}
