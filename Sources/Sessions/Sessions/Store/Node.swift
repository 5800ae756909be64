/// A process that shares a store with others, from joining it until its lease expires.
package struct Node: Sendable, Hashable {
  /// The number by which the store knows the node; never given twice.
  package let number: Int64
  /// The node's name in logs.
  package let name: String
  /// The address at which other nodes find it, as `http://10.0.0.3:7946`; empty if they cannot.
  package let address: String

  package init(_ number: Int64, name: String, address: String) {
    self.number = number
    self.name = name
    self.address = address
  }
}

/// A node as the store sees it.
package struct NodeStatus: Sendable, Equatable {
  package var node: Node
  package var joined: WallTime
  /// The rest of the node's lease; negative if it has expired.
  package var leaseLeft: Duration
  /// The number of the node's sessions.
  package var sessions: Int
  package var membership: Membership

  package enum Membership: Sendable {
    /// The node lives, or no node has found it dead yet.
    case current
    /// The node has stopped in order.
    case left
    /// Another node has found that the lease had expired, or the process has joined under another number since.
    case over
  }

  package init(
    _ node: Node,
    joined: WallTime,
    leaseLeft: Duration,
    sessions: Int,
    _ membership: Membership = .current
  ) {
    self.node = node
    self.membership = membership
    self.joined = joined
    self.leaseLeft = leaseLeft
    self.sessions = sessions
  }
}
