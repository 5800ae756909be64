/// A store that several nodes share.
///
/// One node owns a session at a time: ``SessionStore/commit(_:_:)`` refuses with ``StoreError/fenced`` every change by
/// another node. Leases say for how long a session stays with a node that does not report; leases and expiry use the
/// store's clock alone.
///
/// A node owns the sessions that it has created or acquired since it joined, until it releases them. Its
/// ``inventory()`` has the secret and no sessions: ``acquire(_:_:)`` finds them.
package protocol SharedSessionStore: SessionStore {
  /// Begins a lease, under a new number; the sessions of this process's last lease have no owner from then on.
  func join(_ done: @escaping StoreAnswer<Node>)

  /// Extends the lease to its whole length; false if it has expired: then ``join(_:)`` begins another.
  func renew(_ done: @escaping StoreAnswer<Bool>)

  /// Ends up to `limit` sessions as expired that no living node owns and that have not been used for so long; returns
  /// their number, which is less than `limit` if there are no more.
  ///
  /// The time counts anew from when a session is found that was interrupted at work: a node can wake it before it ends.
  func expire(unusedFor idleTime: Duration, limit: Int, _ done: @escaping StoreAnswer<Int>)

  /// Lists the nodes, also those whose lease has expired lately, in the order in which they joined.
  func nodes(_ done: @escaping StoreAnswer<[NodeStatus]>)

  /// Lists the nodes whose lease has not expired, in the order in which they joined; called each second.
  func livingNodes(_ done: @escaping StoreAnswer<[Node]>)
}

extension SharedSessionStore {
  package func livingNodes(_ done: @escaping StoreAnswer<[Node]>) {
    nodes { result in done(result.map { $0.filter { $0.leaseLeft > .zero }.map(\.node) }) }
  }
}

/// The result of asking for a session.
package enum Acquisition: Sendable, Equatable {
  /// This process has the session now.
  case acquired(StoredSession)
  /// Another node has the session, which is of this origin.
  case elsewhere(Node, SessionOrigin)
  /// The session has ended.
  case ended(SessionEnd)
  /// The store has nothing by that id.
  case unknown
}
