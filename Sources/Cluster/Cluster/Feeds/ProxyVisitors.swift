import FusionSessions
import UIFusionKit

/// The visitors who follow a session by this node, and the place that is told of them.
struct ProxyVisitors {
  enum Place {
    case here(Session)
    case elsewhere(FeedSubscription)
  }

  private var visits: [Visitor: Int] = [:]
  /// The place that is told; nil where none has asked.
  private var place: Place?

  /// Notes a visit; returns whether another node is to be told.
  mutating func enter(_ visitor: Visitor) -> FeedSubscription? {
    visits[visitor, default: 0] += 1
    return visits[visitor] == 1 ? tell(visitor, isThere: true) : nil
  }

  mutating func leave(_ visitor: Visitor) -> FeedSubscription? {
    guard let count = visits[visitor] else { return nil }
    visits[visitor] = count > 1 ? count - 1 : nil
    return count == 1 ? tell(visitor, isThere: false) : nil
  }

  /// Tells a place of all visitors, and of changes from now on.
  mutating func begin(_ place: Place) -> FeedSubscription? {
    self.place = place
    var subscription: FeedSubscription?
    for visitor in visits.keys.inOrder { subscription = tell(visitor, isThere: true) }
    return subscription
  }

  /// Takes leave of the place; another node takes it by itself where what it shows here is dropped.
  mutating func end() {
    if case .here(let session) = place {
      for visitor in visits.keys.inOrder { session.leave(visitor) }
    }
    place = nil
  }

  /// Returns what has to send the change to another node.
  private func tell(_ visitor: Visitor, isThere: Bool) -> FeedSubscription? {
    switch place {
    case nil: return nil
    case .here(let session):
      if isThere { session.enter(visitor) } else { session.leave(visitor) }
      return nil
    case .elsewhere(let subscription):
      if isThere { subscription.enter(visitor) } else { subscription.leave(visitor) }
      return subscription
    }
  }
}

extension Sequence<Visitor> {
  /// The visitors in an order that is always the same.
  var inOrder: [Visitor] { sorted { ($0.id, $0.role) < ($1.id, $1.role) } }
}
