/// A fault that the simulation of several nodes has to find.
package enum ClusterFault: String, CaseIterable, Sendable {
  /// The store takes what a node does in a session that is another's by now.
  case noFence
  /// A node takes its lease for renewed whatever the store says, as if it went by itself alone.
  case endlessLease
  /// The clock that a node's lease goes by is so slow that the lease ends long after the store's.
  case slowClock
  /// The store gives a session to who asks, though its owner lives.
  case stolenSession
  /// A new owner is given the State of some versions before, as a replica may show it.
  case staleAcquisition
  /// A new owner is given a session without its keys.
  case forgottenKeys
  /// The store forgets the messages of a session that is read.
  case forgottenMessages
  /// The store forgets whose messages a session had, when it is read.
  case forgottenSenders
  /// The store reads the messages of a session in another order.
  case reversedMessages
  /// A store says that nothing was done where nobody knows.
  case deniedDoubt
  /// The store says that a change stands before it does.
  case earlyAcknowledgement
  /// A node passes on what another has passed on to it.
  case forwardLoop
  /// A node says that it was not asked, where its answer was lost.
  case deniedForwarding
  /// The archive gives each version the State of the one before.
  case misreadPast
  /// A node does not hear from another that a visitor has left.
  case untoldLeaving
}
