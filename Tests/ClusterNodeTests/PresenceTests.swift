import FusionHTTPMessages
import FusionRawHTTP
import FusionSessionAPI
import FusionSessions
import FusionStoreDoubles
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

@testable import FusionCluster

/// A view model that lists the present visitors and the reported changes.
struct Guests: ViewModelProtocol, PresenceObserving {
  enum Input: Codable, Sendable { case presence(PresenceChange) }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable {
    var present: [Visitor] = []
    var changes: [String] = []
  }

  var state = State()

  static func input(for change: PresenceChange) -> Input? { .presence(change) }

  func transform(_ input: Input) -> [Action] { [input] }

  mutating func perform(_ action: Action) {
    switch action {
    case .presence(let change):
      change.update(&state.present)
      let names = change.visitors.map { "\($0.identity ?? "?") \($0.role)" }
      state.changes.append("\(change.kind): \(names.joined(separator: ", "))")
    }
  }
}

/// Tests of one node in process; the test acts as the other node, which follows or owns its sessions.
struct `A view model that observes visitors on other nodes` {
  private let clock = TestClock()
  private let memory: SharedMemory

  init() {
    let clock = clock
    memory = SharedMemory { clock.now }
  }

  private func node(_ name: String) async -> NodeInProcess {
    await NodeInProcess(
      name,
      memory,
      clock,
      hosting: { $0.host("guests", summary: "Sees who comes") { _ in Guests() } }
    ) { options in
      options.authenticate = { request, _, done in
        done(.success(request.headers["X-User"].map { RequestSender($0) }))
      }
    }
  }

  private func create(_ node: NodeInProcess) async throws -> String {
    let created = try await node.send(.post, "/sessions", [:], #"{"viewModel":"guests"}"#)
    return try unwrap(created.location)
  }

  /// Returns the changes that the view model was told of; visitors who came one after the other stand in one.
  private func changes(_ path: String, _ node: NodeInProcess) async throws -> String {
    let text = try await node.send(.get, path).text
    let changes = try unwrap(text.firstMatch(of: /"changes":(\[.*?\])/)).1
    return String(changes).replacing(#"","joined: "#, with: ", ")
  }

  /// Opens a feed as the node at the other end.
  private func feed(of node: NodeInProcess, _ query: String) async throws -> any BodyStream {
    let answer = try await node.send(.get, "/feeds/1-1" + query, fromNode: true)
    let stream = try unwrap(answer.stream)
    stream.opened(wake: {}, cut: {})
    return stream
  }

  private func change(_ node: NodeInProcess, _ text: String) async throws {
    let answer = try await node.send(.post, "/feeds/1-1", [:], text, fromNode: true)
    #expect(answer.status == 204)
  }

  private func next(_ stream: any BodyStream) -> String {
    var text = ""
    while case .chunk(let chunk) = stream.next() {
      text += String(decoding: chunk.content, as: UTF8.self)
    }
    return text
  }

  @Test func `is told that visitors left when their node stops following`() async throws {
    let node = await node("a")
    let path = try await create(node)
    let id = try unwrap(SessionID(String(path.dropFirst("/sessions/".count))))
    guard case .resident(let session) = node.host.directory.find(id) else {
      Issue.record("the session is unknown")
      return
    }
    var visitors = ProxyVisitors()
    _ = visitors.enter(Visitor(id: "ada", identity: "ada", name: nil, role: .owner))
    _ = visitors.begin(.here(session))
    await clock.idle()
    #expect(try await changes(path, node) == #"["joined: ada owner"]"#)
    visitors.end()
    await clock.advance(by: .seconds(5))
    #expect(try await changes(path, node) == #"["joined: ada owner","left: ada owner"]"#)
  }

  @Test func `asks for visitors, and is told of each visitor once`() async throws {
    let node = await node("a")
    let path = try await create(node)
    let stream = try await feed(of: node, "?reader=")
    try await change(node, "follow 1 \(path.dropFirst(10))\n")
    #expect(next(stream).contains("visitors 1\nstate 1 1 "))
    try await change(node, "enter 1 owner identity=ada name=Ada%20L.\nenter 1 driver anonymous=x\n")
    await clock.idle()
    let expected = #"["joined: ada owner, ? driver"]"#
    #expect(try await changes(path, node) == expected)
    #expect(try await node.send(.get, path).text.contains(#""name":"Ada L.""#))
    let own = try unwrap(
      try await node.send(.get, path + "/events", ["X-User": "ada"]).stream
    )
    own.opened(wake: {}, cut: {})
    try await change(node, "leave 1 owner identity=ada name=Ada%20L.\nleave 1 driver anonymous=x\n")
    await clock.advance(by: .seconds(5))
    #expect(try await changes(path, node).contains(#""left: ? driver"]"#))
    own.closed()
    await clock.advance(by: .seconds(5))
    #expect(try await changes(path, node).contains(#""left: ada owner"]"#))
    stream.closed()
  }

  @Test func `does not ask a node whose build cannot report visitors`() async throws {
    let node = await node("a")
    let path = try await create(node)
    let stream = try await feed(of: node, "")
    try await change(node, "follow 1 \(path.dropFirst(10))\n")
    let text = next(stream)
    #expect(text.contains("state 1 1 ") && !text.contains("visitors"))
    stream.closed()
  }

  @Test(arguments: ["breaks off", "drops the session"])
  func `is told that a node's visitors left when its feed`(does what: String) async throws {
    let node = await node("a")
    let path = try await create(node)
    let stream = try await feed(of: node, "?reader=")
    try await change(node, "follow 1 \(path.dropFirst(10))\n")
    try await change(node, "enter 1 owner identity=ada\nenter 1 owner identity=bob\n")
    // Who comes and leaves before the view model is told is not told of.
    await clock.idle()
    if what == "breaks off" { stream.closed() } else { try await change(node, "drop 1\n") }
    let next = what == "breaks off" ? try await feed(of: node, "?reader=") : stream
    try await change(node, "follow 2 \(path.dropFirst(10))\nenter 2 owner identity=bob\n")
    await clock.advance(by: .seconds(5))
    #expect(try await changes(path, node) == #"["joined: ada owner, bob owner","left: ada owner"]"#)
    next.closed()
  }

  @Test func `is told that a dead node's visitors left, even if its feed is open`()
    async throws
  {
    let (node, other) = (await node("a"), await node("b"))
    let path = try await create(node)
    let stream = try await feed(of: node, "?reader=http%3A%2F%2Fb")
    try await change(node, "follow 1 \(path.dropFirst(10))\n")
    try await change(node, "enter 1 owner identity=ada\n")
    for _ in 1...10 {
      await clock.advance(by: .seconds(1))
      node.cluster.watch()
      await clock.idle()
    }
    #expect(try await changes(path, node) == #"["joined: ada owner"]"#)
    other.stopRenewing()
    for _ in 1...10 {
      await clock.advance(by: .seconds(1))
      node.cluster.watch()
      await clock.idle()
    }
    #expect(try await changes(path, node) == #"["joined: ada owner","left: ada owner"]"#)
    stream.closed()
  }

  /// A restarted node may ask itself for a session while its previous process still has a lease.
  @Test func `keeps visitors whose feed its own node reads`() async throws {
    let node = await node("a")
    let path = try await create(node)
    let stream = try await feed(of: node, "?reader=http%3A%2F%2Fa")
    try await change(node, "follow 1 \(path.dropFirst(10))\n")
    try await change(node, "enter 1 owner identity=ada\n")
    for _ in 1...10 {
      await clock.advance(by: .seconds(1))
      node.cluster.watch()
      await clock.idle()
    }
    #expect(try await changes(path, node) == #"["joined: ada owner"]"#)
    stream.closed()
  }

  @Test func `is told of visitors by the node that follows for them, once asked`() async throws {
    let (owner, asking) = (await node("a"), await node("b"))
    let path = try await create(owner)
    let others = asking.others
    func sent() -> [String] {
      others.changes.map { String(decoding: $0.request.body, as: UTF8.self) }
    }
    let ada = try await asking.send(.get, path + "/events", ["X-User": "ada"])
    try others.openFeed()
    let feed = try unwrap(others.feeds.first)
    feed.show(version: 1)
    try unwrap(ada.stream).opened(wake: {}, cut: {})
    #expect(sent().count == 1)
    feed.send("visitors 1\n")
    #expect(sent().last == "enter 1 owner identity=ada\n")
    try unwrap(others.changes.last).answer(.success(HTTPResponse(204)))
    let again = try await asking.send(.get, path + "/events", ["X-User": "ada"])
    try unwrap(again.stream).opened(wake: {}, cut: {})
    let bob = try await asking.send(.get, path + "/events", ["X-User": "bob"])
    try unwrap(bob.stream).opened(wake: {}, cut: {})
    #expect(sent().count == 3 && sent().last == "enter 1 owner identity=bob\n")
    try unwrap(others.changes.last).answer(.success(HTTPResponse(204)))
    try unwrap(ada.stream).closed()
    #expect(sent().count == 3)
    try unwrap(again.stream).closed()
    #expect(sent().last == "leave 1 owner identity=ada\n")
    try unwrap(bob.stream).closed()
  }

  @Test func `is told of the visitors again once its session is at another node`() async throws {
    let (owner, asking) = (await node("a"), await node("b"))
    let path = try await create(owner)
    let others = asking.others
    let ada = try await asking.send(.get, path + "/events", ["X-User": "ada"])
    try others.openFeed()
    try unwrap(others.feeds.first).show(version: 1)
    try unwrap(ada.stream).opened(wake: {}, cut: {})
    try unwrap(others.feeds.first).send("visitors 1\n")
    try unwrap(others.feeds.first).take(.end)
    await clock.advance(by: .seconds(1))
    let feed = try unwrap(others.feeds.last)
    try others.openFeed()
    feed.send("visitors 1\nstate 1 1 0 2\n{}\n")
    let last = try unwrap(others.changes.last)
    #expect(String(decoding: last.request.body, as: UTF8.self) == "enter 1 owner identity=ada\n")
    try unwrap(ada.stream).closed()
  }
}

/// Tests over sockets.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `Visitors of a session on several nodes` {
  @Test func `are present until they leave or their node dies`() async throws {
    let cluster = Cluster()
    let (a, b) = (try await cluster.start("a"), try await cluster.start("b"))
    let c = try await cluster.start("c")
    let path = try await Client(a.port).create("guests")
    var shares: [String] = []
    for role in ["driver", "observer"] {
      let body = #"{"role":"\#(role)"}"#
      let shared = try await Client(a.port).post(path + "/shares", body)
      shares.append(try unwrap(shared["Location"]))
    }
    @Sendable func present(_ port: Int) async throws -> [String] {
      let text = try await Client(port).get(path).text
      return text.matches(of: /"role":"(\w+)"/).map { String($0.output.1) }.sorted()
    }
    let owner = try await Client(c.port).stream(path + "/events")
    let driver = try await Client(b.port).stream(shares[0] + "/events")
    var observer: EventLines? = try await Client(a.port).stream(shares[1] + "/events")
    for stream in [owner, driver] { _ = try await stream.next() }
    _ = try await observer?.next()
    try await cluster.until { try await present(a.port) == ["driver", "observer", "owner"] }
    observer = nil
    try await cluster.until { try await present(c.port) == ["driver", "owner"] }
    b.store.cut()
    await b.stop()
    try await cluster.until { try await present(c.port) == ["owner"] }
    a.store.cut()
    await a.stop()
    try await cluster.until { (try? await present(c.port)) == ["owner"] }
    let text = try await Client(c.port).get(path).text
    #expect(text.matches(of: /left: \? owner/).isEmpty)
    await cluster.stop()
  }
}
