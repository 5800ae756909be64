import FusionSessions
import UIFusionKit

/// The visitors who follow a session by this node, and the session or node that is told of them.
struct ProxyVisitors {
  enum Place {
    case here(Session)
    case elsewhere(FeedSubscription)
  }

  private var visits: [Visitor: Int] = [:]
  /// The session or node that is told; nil if none has asked.
  private var place: Place?

  /// Notes a visit; returns the subscription that has to tell another node, if any.
  mutating func enter(_ visitor: Visitor) -> FeedSubscription? {
    visits[visitor, default: 0] += 1
    return visits[visitor] == 1 ? tell(visitor, isThere: true) : nil
  }

  mutating func leave(_ visitor: Visitor) -> FeedSubscription? {
    guard let count = visits[visitor] else { return nil }
    visits[visitor] = count > 1 ? count - 1 : nil
    return count == 1 ? tell(visitor, isThere: false) : nil
  }

  /// Tells a session or node of all visitors, and of changes from now on.
  mutating func begin(_ place: Place) -> FeedSubscription? {
    self.place = place
    var subscription: FeedSubscription?
    for visitor in visits.keys.inOrder { subscription = tell(visitor, isThere: true) }
    return subscription
  }

  /// Takes the visitors out of this node's session; another node does so itself when the feed drops the session.
  mutating func end() {
    if case .here(let session) = place {
      for visitor in visits.keys.inOrder { session.leave(visitor) }
    }
    place = nil
  }

  /// Tells of a change; returns the subscription that has to send it to another node, if any.
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
  /// The visitors in a fixed order.
  var inOrder: [Visitor] { sorted { ($0.id, $0.role) < ($1.id, $1.role) } }
}
