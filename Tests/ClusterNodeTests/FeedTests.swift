import FusionCluster
import FusionHTTPMessages
import FusionSessions
import FusionStoreDoubles
import Testing
import UIFusionTesting

struct `The feed between two nodes` {
  private let clock = TestClock()
  private let memory: SharedMemory

  init() {
    let clock = clock
    memory = SharedMemory { clock.now }
  }

  private func node(_ name: String) async -> NodeInProcess {
    await NodeInProcess(name, memory, clock)
  }

  /// A feed as the node at the other end reads it.
  private struct Reader {
    let node: NodeInProcess
    let stream: any BodyStream

    init(of node: NodeInProcess) async throws {
      self.node = node
      stream = try unwrap(try await node.send(.get, "/feeds/1-1", fromNode: true).stream)
      stream.opened(wake: {}, cut: {})
      #expect(next() == "\n")
    }

    func change(_ text: String) async throws -> Int? {
      try await node.send(.post, "/feeds/1-1", [:], text, fromNode: true).status
    }

    /// Returns the text that can be sent now.
    func next() -> String {
      var text = ""
      while case .chunk(let chunk) = stream.next() {
        text += String(decoding: chunk.content, as: UTF8.self)
      }
      return text
    }
  }

  private func id(_ path: String) -> Substring { path.dropFirst("/sessions/".count) }

  private func add(_ input: String, to path: String, _ node: NodeInProcess) async throws {
    #expect(try await node.send(.post, path + "/inputs", [:], input).status == 200)
  }

  @Test func `sends each session's State by its number, and skips versions for a slow reader`()
    async throws
  {
    let node = await node("a")
    let (one, two) = (try await node.create(), try await node.create())
    let reader = try await Reader(of: node)
    #expect(try await reader.change("follow 1 \(id(one))\nfollow 2 \(id(two))\n") == 204)
    let first = reader.next()
    #expect(first.contains("state 1 1 ") && first.contains("state 2 1 "))
    for _ in 1...3 { try await add(#"{"add":1}"#, to: two, node) }
    let next = reader.next()
    #expect(next.hasPrefix("state 2 4 ") && next.contains(#""sum":3"#))
    #expect(next.count { $0 == "\n" } == 2)
    #expect(try await reader.change("drop 2\n") == 204)
    try await add(#"{"add":1}"#, to: two, node)
    #expect(reader.next() == "")
    reader.stream.closed()
  }

  @Test func `skips no version with a Pulse`() async throws {
    let node = await node("a")
    let path = try await node.create()
    let reader = try await Reader(of: node)
    _ = try await reader.change("follow 1 \(id(path))\n")
    _ = reader.next()
    for input in [#""ring""#, #"{"add":1}"#, #""ring""#, #"{"add":1}"#, #"{"add":1}"#] {
      try await add(input, to: path, node)
    }
    let versions = reader.next().matches(of: #/state 1 (\d+) /#).map(\.output.1)
    #expect(versions == ["2", "4", "6"])
    reader.stream.closed()
  }

  @Test func `drops a session if too many versions with Pulses are queued`() async throws {
    let node = await node("a")
    let path = try await node.create()
    let reader = try await Reader(of: node)
    _ = try await reader.change("follow 1 \(id(path))\n")
    _ = reader.next()
    for _ in 1...70 { try await add(#""ring""#, to: path, node) }
    #expect(reader.next() == "lost 1\n")
    #expect(try await reader.change("follow 2 \(id(path))\n") == 204)
    #expect(reader.next().hasPrefix("state 2 71 "))
    reader.stream.closed()
  }

  @Test func `reports that a session was deleted or is not at its node`() async throws {
    let (node, other) = (await node("a"), await node("b"))
    let (one, two) = (try await node.create(), try await other.create())
    let reader = try await Reader(of: node)
    let unknown = "AAAAAAAAAAAAAAAAAAAAAA"
    let changes = "follow 1 \(id(one))\nfollow 2 \(id(two))\nfollow 3 \(unknown)\n"
    #expect(try await reader.change(changes) == 204)
    let text = reader.next()
    #expect(text.contains("lost 2\n") && text.contains("lost 3\n") && text.contains("state 1 1"))
    #expect(try await node.send(.delete, one).status == 204)
    #expect(reader.next() == "end 1 deleted\n")
    #expect(try await reader.change("follow 4 \(id(one))\n") == 204)
    #expect(reader.next() == "end 4 deleted\n")
    reader.stream.closed()
  }

  @Test func `sends a heartbeat each second, and drops sessions once its node's lease expires`()
    async throws
  {
    let node = await node("a")
    let path = try await node.create()
    let reader = try await Reader(of: node)
    _ = try await reader.change("follow 1 \(id(path))\n")
    _ = reader.next()
    node.cluster.watch()
    #expect(reader.next() == "\n")
    node.stopRenewing()
    await clock.advance(by: .seconds(4))
    node.cluster.watch()
    #expect(reader.next() == "lost 1\n")
    reader.stream.closed()
  }

  @Test func `refuses malformed changes, and changes while it is not open`()
    async throws
  {
    let node = await node("a")
    #expect(try await node.send(.post, "/feeds/1-1", fromNode: true).status == 404)
    let reader = try await Reader(of: node)
    #expect(try await node.send(.get, "/feeds/1-1", fromNode: true).status == 409)
    for text in ["follow 1\n", "follow one \(id(try await node.create()))\n", "say 1 2\n"] {
      #expect(try await reader.change(text) == 400)
    }
    reader.stream.closed()
    #expect(try await reader.change("drop 1\n") == 404)
  }

  @Test func `is shared by all sessions, and ends with the last`() async throws {
    let (owner, asking) = (await node("a"), await node("b"))
    let (one, two) = (try await owner.create(), try await owner.create())
    let others = asking.others
    let first = try await asking.send(.get, one + "/events")
    let second = try await asking.send(.get, two + "/events")
    #expect(others.feeds.count == 1 && others.changes.isEmpty)
    try others.openFeed()
    #expect(
      others.changes.map { String(decoding: $0.request.body, as: UTF8.self) }
        == ["follow 1 \(id(one))\nfollow 2 \(id(two))\n"]
    )
    let feed = try unwrap(others.feeds.first)
    feed.show(version: 1, of: 1)
    feed.show(version: 1, of: 2)
    #expect(first.status == 200 && second.status == 200)
    first.drop()
    #expect(others.changes.count == 2 && !feed.isCancelled)
    second.drop()
    #expect(feed.isCancelled)
  }

  @Test(arguments: [ForwardingError.full, .notSent("no way")])
  func `repeats a change that its node has not received`(error: ForwardingError)
    async throws
  {
    let (owner, asking) = (await node("a"), await node("b"))
    let others = asking.others
    let answer = try await asking.send(.get, try await owner.create() + "/events")
    let feed = try unwrap(others.feeds.last)
    feed.send("\n")
    try unwrap(others.changes.last).answer(.failure(error))
    #expect(others.feeds.count == 1 && !feed.isCancelled && others.changes.count == 1)
    feed.send("\n")
    #expect(others.changes.count == 2)
    #expect(others.changes.first?.request.body == others.changes.last?.request.body)
    try unwrap(others.changes.last).answer(.success(HTTPResponse(204)))
    feed.show(version: 1)
    #expect(answer.status == 200)
  }

  @Test func `shows no client a version older than the client has seen`() async throws {
    let (owner, asking) = (await node("a"), await node("b"))
    let path = try await owner.create() + "/events"
    let others = asking.others
    let first = try await asking.send(.get, path)
    try others.openFeed()
    let ahead = try await asking.send(.get, path, ["Last-Event-ID": "2"])
    let mistaken = try await asking.send(.get, path, ["Last-Event-ID": "9"])
    let feed = try unwrap(others.feeds.first)
    feed.show(version: 1)
    #expect(first.status == 200 && ahead.status == nil && mistaken.status == nil)
    feed.show(version: 2, of: 2)
    #expect(ahead.status == 200 && mistaken.status == 200)
    #expect(others.feeds.count == 1 && !feed.isCancelled)
  }

  @Test func `is not opened twice under one name`() async throws {
    let node = await node("a")
    let path = try await node.create()
    let late = try unwrap(try await node.send(.get, "/feeds/1-1", fromNode: true).stream)
    let reader = try await Reader(of: node)
    late.opened(wake: {}, cut: {})
    guard case .finished = late.next() else {
      Issue.record("the second feed is open")
      return
    }
    late.closed()
    _ = try await reader.change("follow 1 \(id(path))\n")
    #expect(reader.next().hasPrefix("state 1 1 "))
    _ = try await reader.change("follow 1 \(id(path))\n")
    #expect(reader.next() == "")
    reader.stream.closed()
  }

  @Test func `has a name that is unique to its process`() async throws {
    let (owner, asking) = (await node("a"), await node("b"))
    let path = try await owner.create() + "/events"
    _ = try await asking.send(.get, path)
    let other = await node("c")
    _ = try await other.send(.get, path)
    let names = [asking, other].flatMap(\.others.opened)
    #expect(names.count == 2 && Set(names.map { $0.split(separator: "-").first }).count == 2)
  }

  @Test func `is replaced if it is malformed or a change is refused`()
    async throws
  {
    let (owner, asking) = (await node("a"), await node("b"))
    let path = try await owner.create()
    let others = asking.others
    let answer = try await asking.send(.get, path + "/events")
    try unwrap(others.feeds.last).send("\n")
    try unwrap(others.changes.last).answer(.success(HTTPResponse(404)))
    await clock.advance(by: .milliseconds(1))
    #expect(others.feeds.map(\.isCancelled) == [true, false])
    try others.openFeed()
    try unwrap(others.feeds.last).send("that is no feed\n")
    await clock.advance(by: .milliseconds(20))
    #expect(others.feeds.map(\.isCancelled) == [true, true, false])
    try others.openFeed()
    try unwrap(others.feeds.last).show(version: 1)
    #expect(answer.status == 200)
  }
}
