/// A function that is told the reason why a session could not be woken; nil if it was.
package typealias WakeCompletion = @Sendable (WakeFailure?) -> Void

/// The reason why a session could not be woken, or used.
package enum WakeFailure: Error {
  case store(StoreError)
  /// The current view model cannot read what is stored of the session.
  case unreadable(viewModel: String)
  /// This node cannot read what is stored of the session; another one may be of a version that can.
  case unreadableHere(viewModel: String)
  /// The session has ended the process repeatedly, and waits until it is resumed.
  case setAside(viewModel: String)
  /// The session's State is not small, and memory is full.
  case memoryFull(MemoryFull)
  /// Another node has the session: that one is to be asked.
  ///
  /// The origin of the session decides who may follow it.
  case elsewhere(Node, SessionOrigin)
  /// The caller may not use the session so; the sentence is for them.
  case notPermitted(String)

  package static let leaseOver = Self.store(.unreachable("this node's lease has run out"))
}
