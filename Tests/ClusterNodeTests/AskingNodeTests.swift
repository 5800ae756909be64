import FusionCluster
import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import FusionStoreDoubles
import Testing
import UIFusionTesting

struct `A node that asks the one that has a session` {
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

  @Test func `refuses at once what finds too many waiting for it`() async throws {
    let (owner, asking) = await pair()
    let answer = try await asking.send(.get, owner.create())
    try unwrap(asking.others.asked.first).answer(.failure(.full))
    #expect(answer.status == 503 && asking.others.asked.count == 1)
  }

  @Test func `has nobody wait for it any longer when it stops`() async throws {
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

  @Test func `passes on what is left of a wait when it asks again`() async throws {
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

  @Test func `waits no longer itself for a session that it has taken over`() async throws {
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

  @Test func `counts the Inputs of its client, and the other one does not`() async throws {
    let (owner, asking) = await pair { $0.clients.inputsPerSecond = 3 }
    let path = try await owner.create() + "/inputs"
    func send(_ body: String, _ status: Int) async throws -> Int? {
      let count = asking.others.asked.count
      let answer = try await asking.send(.post, path, [:], body)
      if asking.others.asked.count > count {
        asking.others.asked[count].answer(.success(HTTPResponse(status)))
      }
      return answer.status
    }
    // Of which nothing was submitted does not count.
    #expect(try await send(#"[{"add":1},{"add":2},{"add":3}]"#, 503) == 503)
    #expect(try await send(#"[{"add":1},{"add":2}]"#, 200) == 200)
    #expect(try await send(#"{"add":3}"#, 200) == 200)
    #expect(try await send(#"{"add":4}"#, 200) == 429)
    #expect(asking.others.asked.count == 3)
    for _ in 0..<5 {
      #expect(try await owner.send(.post, path, [:], #"{"add":1}"#, fromNode: true).status == 200)
    }
  }

  @Test func `looks at what it shows for who has seen more, and leaves its stream to the others`()
    async throws
  {
    let (owner, asking) = await pair()
    let path = try await owner.create() + "/events"
    let first = try await asking.send(.get, path)
    try unwrap(asking.others.followed.first).show(version: 1)
    #expect(first.status == 200)
    let mistaken = try await asking.send(.get, path, ["Last-Event-ID": "999999999"])
    #expect(mistaken.status == nil)
    try #require(asking.others.followed.count == 2)
    asking.others.followed[1].show(version: 1)
    #expect(mistaken.status == 200)
    // This one is right, and does not see less than it has seen.
    let ahead = try await asking.send(.get, path, ["Last-Event-ID": "2"])
    try #require(asking.others.followed.count == 3)
    asking.others.followed[2].show(version: 2)
    #expect(ahead.status == nil)
    asking.others.followed[0].show(version: 2)
    #expect(ahead.status == 200)
    let denied = try await asking.send(.get, path, ["Last-Event-ID": "3"])
    try #require(asking.others.followed.count == 4)
    asking.others.followed[3].take(.end)
    await clock.advance(by: .seconds(5))
    #expect(denied.status == 503)
    #expect(asking.others.followed.map(\.isCancelled) == [false, true, true, true])
  }

  @Test func `is told by one that has too many streams`() async throws {
    let (owner, _) = await pair { $0.streams = 1 }
    let path = try await owner.create() + "/feed"
    let stream = try await owner.send(.get, path, fromNode: true)
    #expect(stream.status == 200)
    #expect(try await owner.send(.get, path, fromNode: true).status == 503)
  }

  @Test func `ends a stream for which it finds no node`() async throws {
    let (owner, asking) = await pair()
    let exchange = try await asking.send(.get, owner.create() + "/events")
    try unwrap(asking.others.followed.first).show(version: 1)
    let stream = try unwrap(exchange.stream)
    stream.opened(wake: {}, cut: {})
    while case .chunk = stream.next() {}
    asking.others.followed[0].take(.end)
    for _ in 0..<14 {
      await clock.advance(by: .seconds(1))
      asking.cluster.watch()
    }
    guard case .idle = stream.next() else {
      Issue.record("it ended before another node could take over")
      return
    }
    await clock.advance(by: .seconds(2))
    asking.cluster.watch()
    guard case .finished = stream.next() else {
      Issue.record("it is mute")
      return
    }
    stream.closed()
  }
}
