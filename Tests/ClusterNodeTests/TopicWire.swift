import FusionHTTPMessages
import FusionSessions
import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionCluster

/// Several nodes with topics, and the network between them, on which requests wait until a test decides
/// their outcome.
final class TopicWire: Sendable {
  struct Request: Sendable {
    let sender: Int64
    let node: Node
    let request: HTTPRequest
    let done: @Sendable (Result<HTTPResponse, ForwardingError>) -> Void

    var messages: [TopicMessage] { TopicBatch.messages(of: request.body) ?? [] }
  }

  /// A node, and the events that it reports.
  final class Member: NodeTransport {
    let node: Node
    let topics = Topics()
    let events = Mutex<[TopicEvent]>([])
    private let wire: TopicWire

    init(_ number: Int64, _ wire: TopicWire) {
      node = Node(number, name: "\(number)", address: "http://\(number)")
      self.wire = wire
    }

    func forward(
      _ request: HTTPRequest,
      to node: Node,
      within deadline: Duration,
      over lane: NodeLane,
      _ done: @escaping @Sendable (Result<HTTPResponse, ForwardingError>) -> Void
    ) {
      let request = Request(sender: self.node.number, node: node, request: request, done: done)
      wire.waiting.withLock { $0.append(request) }
    }

    func open(
      _ request: HTTPRequest,
      on node: Node,
      over lane: NodeLane,
      _ take: @escaping @Sendable (UpstreamEvent) -> Void
    ) -> any Upstream { NoUpstream() }

    /// The reported events, without those that are counted.
    var told: [String] {
      events.withLock(\.self).compactMap { event in
        switch event {
        case .sent, .received, .dropped: nil
        case .isLosing(let node, let reason): "losing to \(node.name): \(reason)"
        case .isDelivering(let node): "delivering to \(node.name)"
        case .unreadable(let type): "unreadable \(type)"
        case .unwritable(let type): "unwritable \(type)"
        case .tooLarge(let type, _): "too large \(type)"
        }
      }
    }

    var dropped: Int {
      events.withLock(\.self).reduce(0) { sum, event in
        if case .dropped(let count) = event { sum + count } else { sum }
      }
    }

    var sent: Int {
      events.withLock(\.self).reduce(0) { sum, event in
        if case .sent(let count) = event { sum + count } else { sum }
      }
    }
  }

  let clock = TestClock()
  private let waiting = Mutex<[Request]>([])
  private let astray = Mutex<[Request]>([])
  private let joined = Mutex<[(member: Member, relay: NodeTopics)]>([])

  /// Creates a number of nodes that know each other.
  func join(_ count: Int) -> [Member] {
    let members = (1...Int64(count)).map { Member($0, self) }
    for member in members {
      let relay = NodeTopics(member, clock) { event in member.events.withLock { $0.append(event) } }
      relay.update(livingNodes: members.filter { $0 !== member }.map(\.node))
      member.topics.connect(relay)
      joined.withLock { $0.append((member, relay)) }
    }
    return members
  }

  func relay(of member: Member) throws -> NodeTopics {
    try #require(joined.withLock { $0.first { $0.member === member }?.relay })
  }

  /// The requests on their way.
  var requests: [Request] { waiting.withLock(\.self) }

  /// The number of requests that were given up and may still arrive.
  var late: Int { astray.withLock { $0.count } }

  /// Delivers a request, by default the oldest, and its answer unless `losingAnswer`.
  func deliver(at place: Int = 0, losingAnswer: Bool = false) {
    let request = waiting.withLock { $0.remove(at: place) }
    let answer = arrive(request)
    request.done(losingAnswer ? .failure(.noAnswer("cut")) : answer)
  }

  @discardableResult
  private func arrive(_ request: Request) -> Result<HTTPResponse, ForwardingError> {
    let target = joined.withLock { $0.first { $0.member.node.address == request.node.address } }
    guard let target, target.member.node.number == request.node.number else {
      return .failure(.notOwner)
    }
    let isTaken = target.relay.take(request.request.body, for: target.member.topics)
    return .success(HTTPResponse(isTaken ? 204 : 400))
  }

  func deliverAll() {
    for _ in 1...1_000 where !requests.isEmpty { deliver() }
    #expect(requests.isEmpty, "the requests do not end")
  }

  /// Loses a request, by default the oldest.
  func lose(at place: Int = 0) {
    waiting.withLock { $0.remove(at: place) }.done(.failure(.notSent("no way")))
  }

  /// Gives up a request, which may arrive later.
  func delay(at place: Int) {
    let request = waiting.withLock { $0.remove(at: place) }
    astray.withLock { $0.append(request) }
    request.done(.failure(.noAnswer("too late")))
  }

  /// Delivers a request that was given up.
  func deliverLate(at place: Int) {
    arrive(astray.withLock { $0.remove(at: place) })
  }
}

private struct NoUpstream: Upstream {
  func cancel() {}
}

/// Returns the next values of a subscription.
func taken<Value>(_ count: Int, from subscription: TopicSubscription<Value>) async -> [Value] {
  var values: [Value] = []
  for await value in subscription.prefix(count) { values.append(value) }
  return values
}
