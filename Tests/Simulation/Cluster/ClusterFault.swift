/// A fault that the simulation of several nodes has to find.
package enum ClusterFault: String, CaseIterable, Sendable {
  /// The store accepts a change from a node that no longer owns the session.
  case noFence
  /// A node considers its lease renewed without asking the store.
  case endlessLease
  /// A node's lease clock is so slow that the lease ends long after the store's.
  case slowClock
  /// The store gives a session to any node that asks, even if its owner lives.
  case stolenSession
  /// A new owner reads a State some versions old, as from a lagging replica.
  case staleAcquisition
  /// A new owner reads a session without its idempotency keys.
  case forgottenKeys
  /// A new owner reads a session without its messages.
  case forgottenMessages
  /// A new owner reads a session without the numbers of its senders' last messages.
  case forgottenSenders
  /// A new owner reads a session's messages in another order.
  case reversedMessages
  /// A new owner reads a session without its replies.
  case forgottenReplies
  /// A message counts as settled once it is delivered.
  case hastySettling
  /// The store reports a change in doubt as refused.
  case deniedDoubt
  /// The store reports a change as committed before it is.
  case earlyAcknowledgement
  /// A node forwards a request that another node has forwarded to it.
  case forwardLoop
  /// A node reports a forwarded request as not sent if its answer was lost.
  case deniedForwarding
  /// The archive returns each version with the State of the version before.
  case misreadPast
  /// A node does not learn from another that a visitor has left.
  case untoldLeaving
}
