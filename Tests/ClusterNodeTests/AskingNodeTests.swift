import FusionCluster
import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import FusionStoreDoubles
import Testing
import UIFusionTesting

struct `A node that forwards requests to a session's owner` {
  private let clock = TestClock()
  private let memory: SharedMemory

  init() {
    let clock = clock
    memory = SharedMemory { clock.now }
  }

  private func pair(
    _ configure: (inout SessionAPI.Options) -> Void = { _ in }
  ) async -> (owner: NodeInProcess, asking: NodeInProcess) {
    (
      await NodeInProcess("owner", memory, clock, configure),
      await NodeInProcess("asking", memory, clock, configure)
    )
  }

  @Test func `refuses a request at once if the owner's queue is full`() async throws {
    let (owner, asking) = await pair()
    let answer = try await asking.send(.get, owner.create())
    try unwrap(asking.others.asked.first).answer(.failure(.full))
    #expect(answer.status == 503 && asking.others.asked.count == 1)
  }

  @Test func `repeats held requests without their wait when it stops`() async throws {
    let (owner, asking) = await pair()
    let headers: HTTPHeaders = ["If-None-Match": "\"1\"", "Prefer": "wait=25"]
    let answer = try await asking.send(.get, owner.create(), headers)
    #expect(asking.others.asked.map(\.request.headers["Prefer"]) == ["wait=25"])
    asking.api.drain()
    let asked = asking.others.asked
    try #require(asked.count == 2)
    #expect(asked.map(\.request.headers["Prefer"]) == ["wait=25", nil])
    #expect(asked.map(\.request.headers["If-None-Match"]) == ["\"1\"", "\"1\""])
    #expect(answer.status == nil)
    asked[1].answer(.success(HTTPResponse(304)))
    asked[0].answer(.success(HTTPResponse(200)))
    #expect(answer.status == 304 && answer.count == 1)
  }

  @Test func `forwards the rest of a wait when it retries`() async throws {
    let (owner, asking) = await pair()
    let headers: HTTPHeaders = ["If-None-Match": "\"1\"", "Prefer": "return=minimal, wait=8"]
    _ = try await asking.send(.get, owner.create(), headers)
    await clock.advance(by: .seconds(6.5))
    try unwrap(asking.others.asked.first).answer(.failure(.noAnswer("it died")))
    await clock.advance(by: .milliseconds(1))
    try #require(asking.others.asked.count == 2)
    await clock.advance(by: .seconds(3))
    asking.others.asked[1].answer(.failure(.noAnswer("it died")))
    await clock.advance(by: .seconds(1))
    let asked = asking.others.asked.map { $0.request.headers["Prefer"] ?? "" }
    try #require(asked.count == 3)
    #expect(asked[0] == headers["Prefer"])
    #expect(asked[1].hasPrefix("wait=2, ") && asked[1].hasSuffix("return=minimal, wait=8"))
    #expect(asked[2].hasPrefix("wait=0, "))
  }

  @Test func `holds a request for the rest of its wait after it has taken the session over`()
    async throws
  {
    let (owner, asking) = await pair()
    let path = try await owner.create()
    let headers: HTTPHeaders = ["If-None-Match": "\"1\"", "Prefer": "wait=8"]
    let answer = try await asking.send(.get, path, headers)
    await clock.advance(by: .seconds(7))
    memory.free(try unwrap(SessionID(String(path.dropFirst("/sessions/".count)))))
    try unwrap(asking.others.asked.first).answer(.failure(.noAnswer("it died")))
    await clock.advance(by: .milliseconds(1))
    #expect(answer.status == nil)
    await clock.advance(by: .seconds(1))
    #expect(answer.status == 304)
  }

  @Test func `limits its client's Inputs, and the owner does not`() async throws {
    let (owner, asking) = await pair { $0.clients.inputsPerSecond = 3 }
    let path = try await owner.create() + "/inputs"
    func send(_ body: String, _ status: Int, _ headers: HTTPHeaders = [:]) async throws -> Int? {
      let count = asking.others.asked.count
      let answer = try await asking.send(.post, path, [:], body)
      if asking.others.asked.count > count {
        asking.others.asked[count].answer(.success(HTTPResponse(status, headers: headers)))
      }
      return answer.status
    }
    // A batch of which nothing was submitted does not count.
    #expect(try await send(#"[{"add":1},{"add":2},{"add":3}]"#, 503) == 503)
    let replayed: HTTPHeaders = ["Idempotency-Replayed": "true"]
    #expect(try await send(#"[{"add":1},{"add":2},{"add":3}]"#, 200, replayed) == 200)
    #expect(try await send(#"[{"add":1},{"add":2}]"#, 200) == 200)
    #expect(try await send(#"{"add":3}"#, 200) == 200)
    #expect(try await send(#"{"add":4}"#, 200) == 429)
    #expect(asking.others.asked.count == 4)
    for _ in 0..<5 {
      #expect(try await owner.send(.post, path, [:], #"{"add":1}"#, fromNode: true).status == 200)
    }
  }

  @Test func `follows a session anew for a client with a newer version, and keeps other streams`()
    async throws
  {
    let (owner, asking) = await pair()
    let path = try await owner.create() + "/events"
    let first = try await asking.send(.get, path)
    try asking.others.openFeed()
    let feed = try unwrap(asking.others.feeds.first)
    feed.show(version: 1)
    #expect(first.status == 200)
    let mistaken = try await asking.send(.get, path, ["Last-Event-ID": "999999999"])
    #expect(mistaken.status == nil)
    feed.show(version: 1, of: 2)
    #expect(mistaken.status == 200)
    let ahead = try await asking.send(.get, path, ["Last-Event-ID": "2"])
    feed.show(version: 1, of: 2)
    #expect(ahead.status == nil)
    feed.show(version: 2, of: 3)
    #expect(ahead.status == 200)
    #expect(asking.others.feeds.count == 1 && !feed.isCancelled)
    let denied = try await asking.send(.get, path, ["Last-Event-ID": "3"])
    for _ in 1...7 { await clock.advance(by: .seconds(1)) }
    #expect(denied.status == 503)
    #expect(first.stream != nil && ahead.stream != nil)
  }

  @Test func `continues a stream that created its session once another node owns it`()
    async throws
  {
    let (owner, other) = await pair()
    let headers: HTTPHeaders = ["Accept": "application/x-ndjson"]
    let exchange = try await owner.send(.post, "/sessions", headers, #"{"viewModel":"tally"}"#)
    let path = try unwrap(exchange.location)
    let stream = try unwrap(exchange.stream)
    stream.opened(wake: {}, cut: {})
    while case .chunk = stream.next() {}
    let id = try unwrap(SessionID(String(path.dropFirst("/sessions/".count))))
    memory.give(id, to: other.host.ownership.node?.number)
    _ = try await owner.send(.post, path + "/inputs", [:], #"{"add":1}"#)
    await clock.advance(by: .seconds(1))
    try owner.others.openFeed()
    try unwrap(owner.others.feeds.last).show(version: 2)
    guard case .chunk(let chunk) = stream.next() else {
      Issue.record("the stream shows nothing of the session's next owner")
      return
    }
    #expect(String(decoding: chunk.content, as: UTF8.self).contains(#""version":2"#))
    stream.closed()
  }

  @Test func `ends a stream if it finds no owner in time`() async throws {
    let (owner, asking) = await pair()
    let exchange = try await asking.send(.get, owner.create() + "/events")
    try asking.others.openFeed()
    let feed = try unwrap(asking.others.feeds.first)
    feed.show(version: 1)
    let stream = try unwrap(exchange.stream)
    stream.opened(wake: {}, cut: {})
    while case .chunk = stream.next() {}
    feed.take(.end)
    for _ in 0..<14 {
      await clock.advance(by: .seconds(1))
      asking.cluster.watch()
    }
    guard case .idle = stream.next() else {
      Issue.record("the stream ended before another node could take over")
      return
    }
    await clock.advance(by: .seconds(2))
    asking.cluster.watch()
    guard case .finished = stream.next() else {
      Issue.record("the stream is silent but open")
      return
    }
    stream.closed()
  }

  @Test func `keeps a stream whose owner it has found again`() async throws {
    let (owner, asking) = await pair()
    let exchange = try await asking.send(.get, owner.create() + "/events")
    try asking.others.openFeed()
    let lost = try unwrap(asking.others.feeds.first)
    lost.show(version: 1)
    let stream = try unwrap(exchange.stream)
    stream.opened(wake: {}, cut: {})
    lost.take(.end)
    await clock.advance(by: .seconds(1))
    try asking.others.openFeed()
    let found = try unwrap(asking.others.feeds.last)
    found.show(version: 2)
    for _ in 0..<20 {
      await clock.advance(by: .seconds(1))
      found.send("\n")
      asking.cluster.watch()
    }
    while case .chunk = stream.next() {}
    guard case .idle = stream.next() else {
      Issue.record("the stream ended")
      return
    }
    stream.closed()
  }

  /// A stopped process keeps its connections open, and does not read the request from its socket.
  @Test(arguments: [nil, "k"])
  func `answers within six seconds if the owner is stopped`(key: String?)
    async throws
  {
    let (owner, asking) = await pair()
    let path = try await owner.create()
    owner.stopRenewing()
    var headers: HTTPHeaders = [:]
    if let key { headers["Idempotency-Key"] = key }
    let answer = try await asking.send(.post, path + "/inputs", headers, #"{"add":3}"#)
    #expect(asking.others.asked.count == 1)
    for _ in 1...12 where answer.status == nil {
      await clock.advance(by: .milliseconds(500))
      asking.cluster.watch()
      asking.others.expire()
      await clock.idle()
    }
    // Without a key the request is in doubt: the owner may still process it once it resumes.
    #expect(answer.status == (key == nil ? 503 : 200))
    #expect(answer.text.contains(key == nil ? "store-in-doubt" : #""sum":3"#))
    #expect(asking.others.asked.count == 1)
    try unwrap(asking.others.asked.first).answer(.success(HTTPResponse(200)))
    #expect(answer.count == 1)
  }
}
