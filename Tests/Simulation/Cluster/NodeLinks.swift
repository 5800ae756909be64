import FusionCluster
import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions

/// A node's connections to the others, over a network that is slow and may be cut between two nodes.
final class NodeLinks: NodeTransport, @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  private unowned let world: ClusterWorld
  private let name: String
  private var scheduler: Scheduler { world.scheduler }

  init(_ world: ClusterWorld, of name: String) {
    self.world = world
    self.name = name
  }

  private var pause: Duration { scheduler.duration(upTo: .milliseconds(5)) }

  /// Returns the node at an address, if it can be reached.
  private func peer(_ node: Node) -> SimulatedNode? {
    world.nodes.first {
      "http://\($0.name)" == node.address && !$0.isDead && !$0.isRefusing
        && !world.isCut(name, $0.name)
    }
  }

  func forward(
    _ request: HTTPRequest,
    to node: Node,
    within deadline: Duration,
    over lane: NodeLane,
    _ done: @escaping @Sendable (Result<HTTPResponse, ForwardingError>) -> Void
  ) {
    scheduler.checkThread()
    world.ledger.forwarded(request)
    guard let sender = world.node(name) else { return }
    let answer = { (result: Result<HTTPResponse, ForwardingError>) in
      sender.deliver { done(result) }
    }
    scheduler.after(pause) { [self] in
      guard let peer = peer(node) else { return answer(.failure(.notSent("no way"))) }
      peer.open += 1
      let exchange = ForwardedExchange(scheduler) { [self] response in
        peer.open -= 1
        scheduler.after(pause) { [self] in
          let isLost = world.isUnruly && scheduler.chance(world.lossRate)
          guard let response, !isLost, !world.isCut(name, peer.name) else {
            let isDenied = world.planted.contains(.deniedForwarding)
            return answer(.failure(isDenied ? .notSent("no answer") : .noAnswer("cut")))
          }
          answer(response.status == 421 ? .failure(.notOwner) : .success(response))
        }
      }
      scheduler.after(deadline) { exchange.answer(nil) }
      peer.atDeath { exchange.answer(nil) }
      var request = request
      request.isFromNode = !world.planted.contains(.forwardLoop)
      if world.planted.contains(.untoldLeaving), request.target.segments.first == "feeds" {
        let lines = request.body.split(separator: UInt8(ascii: "\n"))
        let heard = lines.filter { !$0.starts(with: "leave ".utf8) }
        request.body = Array(heard.joined(separator: [UInt8(ascii: "\n")]))
      }
      peer.deliver { peer.answerNode(request, exchange) }
    }
  }

  func open(
    _ request: HTTPRequest,
    on node: Node,
    over lane: NodeLane,
    _ take: @escaping @Sendable (UpstreamEvent) -> Void
  ) -> any Upstream {
    let upstream = SimulatedUpstream(scheduler)
    guard let sender = world.node(name) else { return upstream }
    upstream.take = { event in sender.deliver { take(event) } }
    scheduler.after(pause) { [self] in
      guard let peer = peer(node) else { return upstream.end() }
      upstream.isCut = { [unowned self] in world.isCut(name, peer.name) }
      sender.atDeath { upstream.end() }
      peer.atDeath { upstream.end() }
      let exchange = ForwardedExchange(scheduler) { response in
        guard let stream = response?.stream, response?.status == 200 else { return upstream.end() }
        upstream.open(stream)
      }
      var request = request
      request.isFromNode = true
      peer.deliver { peer.answerNode(request, exchange) }
    }
    return upstream
  }
}

/// Passes on the first answer to a request, or its failure, and ignores later ones.
final class ForwardedExchange: HTTPResponder, @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  private let scheduler: Scheduler
  private var done: ((HTTPResponse?) -> Void)?

  init(_ scheduler: Scheduler, _ done: @escaping (HTTPResponse?) -> Void) {
    self.scheduler = scheduler
    self.done = done
  }

  func callAsFunction(_ response: consuming HTTPResponse) {
    answer(response)
  }

  func answer(_ response: HTTPResponse?) {
    scheduler.checkThread()
    let done = done
    self.done = nil
    done?(response)
  }
}

/// A stream from another node.
final class SimulatedUpstream: Upstream, @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  private let scheduler: Scheduler
  private var stream: (any BodyStream)?
  private var isOver = false
  var take: (UpstreamEvent) -> Void = { _ in }
  var isCut: () -> Bool = { false }

  init(_ scheduler: Scheduler) {
    self.scheduler = scheduler
  }

  func open(_ stream: any BodyStream) {
    guard !isOver else { return stream.closed() }
    self.stream = stream
    let wake: @Sendable () -> Void = { [weak self] in self?.wake() }
    stream.opened(wake: wake, cut: wake)
    self.wake()
  }

  private func wake() {
    scheduler.soon { [self] in
      while let stream {
        switch stream.next() {
        case .chunk(let chunk):
          // A chunk sent over a cut connection is lost, and the connection ends.
          if isCut() { return end() }
          take(.bytes(Array(chunk.content)))
        case .finished, .failed: return end()
        case .idle: return
        }
      }
    }
  }

  func end() {
    guard !isOver else { return }
    cancel()
    take(.end)
  }

  func cancel() {
    isOver = true
    stream?.closed()
    stream = nil
  }
}
