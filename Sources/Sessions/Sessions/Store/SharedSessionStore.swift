/// A store that several nodes share, each session being at work on one of them at a time.
///
/// That rests on a fence: ``SessionStore/commit(_:_:)`` refuses with ``StoreError/fenced`` what a node does
/// in a session that it does not have. Leases say for how long a session stays with a node that is
/// not heard of; they and all that expires go by the store's clock alone.
///
/// A node has the sessions that it has created or acquired since it joined, until it releases them. Of its
/// ``inventory()`` only the secret is of use: the sessions are found by ``acquire(_:_:)``.
package protocol SharedSessionStore: SessionStore {
  /// Begins a lease, under a new number: what this process had before is nobody's from then on.
  func join(_ done: @escaping StoreAnswer<Node>)

  /// Extends the lease to its whole length; false where it has run out: then there is only a new one.
  func renew(_ done: @escaping StoreAnswer<Bool>)

  /// Ends some sessions as expired that no living node has, and that nobody has used for so long; says how
  /// many, which is less than `limit` where there are no more.
  ///
  /// The time counts anew from when a session is found that was interrupted at work: a node can wake it before it ends.
  func expire(unusedFor idleTime: Duration, limit: Int, _ done: @escaping StoreAnswer<Int>)

  /// Lists the nodes, also those whose lease has run out not long ago, in the order in which they joined.
  func nodes(_ done: @escaping StoreAnswer<[NodeStatus]>)

  /// Lists the nodes whose lease has not run out, in the order in which they joined; called each second.
  func living(_ done: @escaping StoreAnswer<[Node]>)
}

extension SharedSessionStore {
  package func living(_ done: @escaping StoreAnswer<[Node]>) {
    nodes { result in done(result.map { $0.filter { $0.leaseLeft > .zero }.map(\.node) }) }
  }
}

/// The result of asking for a session.
package enum Acquisition: Sendable, Equatable {
  /// This process has the session now.
  case mine(StoredSession)
  /// Another node has the session.
  case elsewhere(Node)
  /// The session is over.
  case ended(SessionEnd)
  /// The store has nothing by that id.
  case unknown
}
