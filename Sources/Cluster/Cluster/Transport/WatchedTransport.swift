import FusionHTTPMessages
import FusionSessions
import Synchronization

/// A transport that gives up on nodes which stand still.
///
/// The connections of a process that is stopped or hangs stay open, and nothing comes over them. So each node that
/// something is expected from is asked once a second whether it is there. Where it does not answer, the requests on
/// their way to it fail, its streams end, and it is asked for nothing else until it answers.
final class WatchedTransport: NodeTransport {
  /// The time in which a node has to say that it is there.
  private static let patience = Duration.seconds(3)

  private enum Waiter {
    case request(@Sendable (Result<HTTPResponse, ForwardingError>) -> Void)
    case stream(@Sendable (UpstreamEvent) -> Void)
  }

  private struct Contents {
    var lastNumber = 0
    var waiters: [Int: (node: Node, waiter: Waiter)] = [:]
    /// The nodes that have not answered when they were asked last.
    var silent: Set<Node> = []
  }

  private let transport: any NodeTransport
  private let contents = Mutex(Contents())

  init(_ transport: any NodeTransport) {
    self.transport = transport
  }

  func forward(
    _ request: HTTPRequest,
    to node: Node,
    within deadline: Duration,
    isHeld: Bool,
    _ done: @escaping @Sendable (Result<HTTPResponse, ForwardingError>) -> Void
  ) {
    guard let number = begin(.request(done), at: node) else {
      return done(.failure(.notSent("it stands still")))
    }
    transport.forward(request, to: node, within: deadline, isHeld: isHeld) { [self] result in
      if end(number) { done(result) }
    }
  }

  func open(
    _ request: HTTPRequest,
    on node: Node,
    _ take: @escaping @Sendable (UpstreamEvent) -> Void
  ) -> any Upstream {
    guard let number = begin(.stream(take), at: node) else {
      take(.end)
      return WatchedUpstream {}
    }
    let upstream = transport.open(request, on: node) { [self] event in
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

  /// Asks each node that something is expected from whether it is there; called once a second.
  func watch() {
    let (nodes, newest) = contents.withLock { contents in
      (contents.silent.union(contents.waiters.values.map(\.node)), contents.lastNumber)
    }
    let health = HTTPRequest(.get, RequestTarget(segments: ["healthz"]))
    for node in nodes.sorted(by: { $0.number < $1.number }) {
      // Not behind requests that the node does not answer.
      transport.forward(health, to: node, within: Self.patience, isHeld: true) { [self] result in
        hear(result, of: node, upTo: newest)
      }
    }
  }

  /// Ends what is expected from a node that is not there, up to what began last before the node was asked.
  private func hear(
    _ result: Result<HTTPResponse, ForwardingError>,
    of node: Node,
    upTo newest: Int
  ) {
    let isSilent = if case .failure(.noAnswer) = result { true } else { false }
    let numbers = contents.withLock { contents in
      if isSilent { contents.silent.insert(node) } else { contents.silent.remove(node) }
      return contents.waiters.filter { $0.key <= newest && $0.value.node == node }.keys.sorted()
    }
    guard case .failure(let error) = result, error != .full else { return }
    for number in numbers {
      switch contents.withLock({ $0.waiters[number]?.waiter }) {
      case .stream(let take): if end(number) { take(.end) }
      // A node that takes no new requests, as it stops, may still answer those that it has.
      case .request(let done): if isSilent, end(number) { done(.failure(error)) }
      case nil: break
      }
    }
  }

  /// Notes something that is expected from a node; returns nil where that stands still.
  private func begin(_ waiter: Waiter, at node: Node) -> Int? {
    contents.withLock { contents in
      if contents.silent.contains(node) { return nil }
      contents.lastNumber += 1
      contents.waiters[contents.lastNumber] = (node, waiter)
      return contents.lastNumber
    }
  }

  /// Returns whether nothing else has ended the wait before.
  private func end(_ number: Int) -> Bool {
    contents.withLock { $0.waiters.removeValue(forKey: number) != nil }
  }
}

private struct WatchedUpstream: Upstream {
  let end: @Sendable () -> Void

  func cancel() { end() }
}
