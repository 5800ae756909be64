import FusionCluster
import FusionHTTPMessages
import FusionSessions
import Synchronization
import UIFusionTesting

/// The other nodes of a ``NodeInProcess``, whose requests wait until a test answers.
final class OtherNodes: NodeTransport {
  struct Asked: Sendable {
    let request: HTTPRequest
    let deadline: Duration
    let answer: @Sendable (Result<HTTPResponse, ForwardingError>) -> Void
  }

  /// A feed, or another stream, that the node has opened.
  final class Feed: Upstream {
    let request: HTTPRequest
    let take: @Sendable (UpstreamEvent) -> Void
    private let cancelled = Mutex(false)

    var isCancelled: Bool { cancelled.withLock(\.self) }

    init(_ request: HTTPRequest, _ take: @escaping @Sendable (UpstreamEvent) -> Void) {
      (self.request, self.take) = (request, take)
    }

    func cancel() { cancelled.withLock { $0 = true } }

    func send(_ text: String) { take(.bytes(Array(text.utf8))) }

    func show(version: Int, of number: Int = 1) { send("state \(number) \(version) 0 2\n{}\n") }
  }

  private let clock: TestClock
  private let log = Mutex<(asked: [Asked], feeds: [Feed], opened: [String])>(([], [], []))

  init(_ clock: TestClock) {
    self.clock = clock
  }

  /// The forwarded requests of clients.
  var asked: [Asked] { requests { $0.target.segments.first == "sessions" } }
  var feeds: [Feed] { log.withLock { $0.feeds } }
  /// The names of the feeds.
  var opened: [String] { log.withLock { $0.opened } }

  /// The requests that check whether a node is alive.
  var healthChecks: [Asked] { requests { $0.target.segments == ["healthz"] } }

  /// The requests that change a feed.
  var changes: [Asked] { requests { $0.target.segments.first == "feeds" } }

  private func requests(where isMeant: (HTTPRequest) -> Bool) -> [Asked] {
    log.withLock { $0.asked.filter { isMeant($0.request) } }
  }

  /// Opens the newest feed, and accepts its first change.
  func openFeed() throws {
    try unwrap(feeds.last).send("\n")
    try unwrap(changes.last).answer(.success(HTTPResponse(204)))
  }

  /// Fails all requests whose deadline has passed.
  func expire() {
    let now = clock.now
    let all = log.withLock { $0.asked.filter { $0.deadline <= now } }
    for asked in all { asked.answer(.failure(.noAnswer("no answer came in time"))) }
  }

  func forward(
    _ request: HTTPRequest,
    to node: Node,
    within deadline: Duration,
    over lane: NodeLane,
    _ done: @escaping @Sendable (Result<HTTPResponse, ForwardingError>) -> Void
  ) {
    let end = clock.now + deadline
    log.withLock { $0.asked.append(Asked(request: request, deadline: end, answer: done)) }
  }

  func open(
    _ request: HTTPRequest,
    on node: Node,
    over lane: NodeLane,
    _ take: @escaping @Sendable (UpstreamEvent) -> Void
  ) -> any Upstream {
    let feed = Feed(request, take)
    log.withLock {
      $0.feeds.append(feed)
      $0.opened.append(request.target.segments.last ?? "")
    }
    return feed
  }
}
