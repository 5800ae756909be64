import FusionHTTPMessages
import FusionSessions
import Synchronization

/// The feeds that other nodes read here.
final class FeedServer: Sendable {
  private let host: SessionHost
  private let feeds = Mutex<[String: FeedStream]>([:])

  init(_ host: SessionHost) {
    self.host = host
  }

  /// Answers a request to open or to change a feed.
  func answer(_ request: HTTPRequest, for name: String) -> HTTPResponse {
    let feed = feeds.withLock { $0[name] }
    switch (request.method, feed) {
    case (.get, nil):
      let reader = FeedRequest.reader(in: request.target)
      let stream = FeedStream(name, readBy: reader, host, self)
      return HTTPResponse(
        200,
        headers: ["Content-Type": FeedFrame.mediaType],
        body: .stream(stream)
      )
    case (.post, let feed?):
      guard let changes = FeedChange.changes(in: request.body) else { return HTTPResponse(400) }
      feed.apply(changes)
      return HTTPResponse(204)
    case (.get, _): return HTTPResponse(409)
    case (_, _): return HTTPResponse(404)
    }
  }

  /// Looks after all feeds; called once a second.
  func watch() {
    let all = feeds.withLock { $0.sorted { $0.key < $1.key } }
    for (_, feed) in all { feed.watch() }
  }

  /// Takes the other living nodes; the visitors of feeds to any other node have left.
  ///
  /// A feed may be this node's own, if the store still had a session at an earlier process with the same address.
  func update(livingNodes nodes: [Node]) {
    guard let own = host.ownership.node else { return }
    let present = Set(nodes.map(\.address) + [own.address])
    for (_, feed) in feeds.withLock({ $0.sorted { $0.key < $1.key } }) {
      feed.update(livingAddresses: present)
    }
  }

  /// Adds a feed whose stream is open; returns false if another feed has its name.
  func add(_ feed: FeedStream) -> Bool {
    feeds.withLock { feeds in
      guard feeds[feed.name] == nil else { return false }
      feeds[feed.name] = feed
      return true
    }
  }

  func remove(_ feed: FeedStream) {
    feeds.withLock { feeds in
      if feeds[feed.name] === feed { feeds[feed.name] = nil }
    }
  }
}
