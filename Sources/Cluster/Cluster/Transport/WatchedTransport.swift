import FusionHTTPMessages
import FusionSessions
import Synchronization
import UIFusionKit

/// A transport that gives up on silent nodes.
///
/// The connections of a process that is stopped or hangs stay open, and nothing comes over them. So each node with
/// pending requests or streams is pinged every second. A node that does not answer in time is silent: the requests on
/// their way to it fail, its streams end, and it is asked for nothing else until it answers.
final class WatchedTransport: NodeTransport {
  /// The time in which a node has to answer a ping.
  private static let timeout = Duration.seconds(3)

  private enum Waiter {
    case request(@Sendable (Result<HTTPResponse, ForwardingError>) -> Void)
    case stream(@Sendable (UpstreamEvent) -> Void)
  }

  /// The pings of one second, one to each node.
  private struct Round {
    let number: Int
    let start: Duration
    /// The number of the last waiter from before this round.
    let lastWaiter: Int
  }

  private struct Contents {
    var lastNumber = 0
    var waiters: [Int: (node: Node, waiter: Waiter)] = [:]
    var silent: Set<Node> = []
    var lastRound = 0
    /// The newest round that each node has answered, while older rounds may be under way.
    var answered: [Node: Int] = [:]
  }

  private let transport: any NodeTransport
  private let time: any TimeSource
  private let contents = Mutex(Contents())

  init(_ transport: any NodeTransport, _ time: any TimeSource) {
    self.transport = transport
    self.time = time
  }

  func forward(
    _ request: HTTPRequest,
    to node: Node,
    within deadline: Duration,
    over lane: NodeLane,
    _ done: @escaping @Sendable (Result<HTTPResponse, ForwardingError>) -> Void
  ) {
    guard let number = begin(.request(done), at: node) else {
      return done(.failure(.notSent("it is silent")))
    }
    transport.forward(request, to: node, within: deadline, over: lane) { [self] result in
      if end(number) { done(result) }
    }
  }

  func open(
    _ request: HTTPRequest,
    on node: Node,
    over lane: NodeLane,
    _ take: @escaping @Sendable (UpstreamEvent) -> Void
  ) -> any Upstream {
    guard let number = begin(.stream(take), at: node) else {
      take(.end)
      return WatchedUpstream {}
    }
    let upstream = transport.open(request, on: node, over: lane) { [self] event in
      switch event {
      case .bytes: take(event)
      case .end: if end(number) { take(.end) }
      }
    }
    return WatchedUpstream { [self] in
      _ = end(number)
      upstream.cancel()
    }
  }

  /// Pings each node with pending requests or streams; called once a second.
  func watch() {
    let start = time.now
    let (nodes, round) = contents.withLock { contents in
      contents.lastRound += 1
      let round = contents.lastRound
      contents.answered = contents.answered.filter { $0.value > round - 10 }
      return (
        contents.silent.union(contents.waiters.values.map(\.node)),
        Round(number: round, start: start, lastWaiter: contents.lastNumber)
      )
    }
    let health = HTTPRequest(.get, RequestTarget(segments: ["healthz"]))
    for node in nodes.sorted(by: { $0.number < $1.number }) {
      transport.forward(health, to: node, within: Self.timeout, over: .own) { [self] result in
        handlePing(result, of: node, in: round)
      }
    }
  }

  /// Handles the result of a ping: a failure ends streams that are older than the round; of a silent node, requests too.
  private func handlePing(
    _ result: Result<HTTPResponse, ForwardingError>,
    of node: Node,
    in round: Round
  ) {
    // A connection that breaks off at once tells nothing of other connections.
    let isLate = time.now - round.start >= Self.timeout
    var isSilent = false
    let numbers: [Int] = contents.withLock { contents in
      guard round.number > contents.answered[node, default: 0] else { return [] }
      switch result {
      case .success, .failure(.notOwner):
        contents.answered[node] = round.number
        contents.silent.remove(node)
      case .failure(.noAnswer) where isLate:
        contents.silent.insert(node)
        isSilent = true
      case .failure(.notSent): contents.silent.remove(node)
      case .failure(.noAnswer), .failure(.full): break
      }
      return contents.waiters.filter { $0.key <= round.lastWaiter && $0.value.node == node }
        .keys.sorted()
    }
    guard case .failure(let error) = result, error != .full else { return }
    for number in numbers {
      switch contents.withLock({ $0.waiters[number]?.waiter }) {
      case .stream(let take): if end(number) { take(.end) }
      // A stopping node takes no new requests, but may still answer pending ones.
      case .request(let done): if isSilent, end(number) { done(.failure(error)) }
      case nil: break
      }
    }
  }

  /// Notes a pending request or stream; returns nil if the node is silent.
  private func begin(_ waiter: Waiter, at node: Node) -> Int? {
    contents.withLock { contents in
      if contents.silent.contains(node) { return nil }
      contents.lastNumber += 1
      contents.waiters[contents.lastNumber] = (node, waiter)
      return contents.lastNumber
    }
  }

  /// Ends a wait; returns false if it has ended before.
  private func end(_ number: Int) -> Bool {
    contents.withLock { $0.waiters.removeValue(forKey: number) != nil }
  }
}

private struct WatchedUpstream: Upstream {
  let end: @Sendable () -> Void

  func cancel() { end() }
}
