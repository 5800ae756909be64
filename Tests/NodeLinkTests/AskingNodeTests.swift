import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
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

  @Test func `looks at what it shows for who has seen more, and leaves its stream to the others`()
    async throws
  {
    let (owner, asking) = await pair()
    let path = try await owner.create() + "/events"
    let first = try await asking.send(.get, path)
    try unwrap(asking.others.followed.first).show(version: 1)
    #expect(first.status == 200)
    let mistaken = try await asking.send(.get, path, ["Last-Event-ID": "999999999"])
    #expect(mistaken.status == nil && asking.others.followed.count == 2)
    asking.others.followed[1].show(version: 1)
    #expect(mistaken.status == 200)
    // This one is right, and does not see less than it has seen.
    let ahead = try await asking.send(.get, path, ["Last-Event-ID": "2"])
    asking.others.followed[2].show(version: 2)
    #expect(ahead.status == nil)
    asking.others.followed[0].show(version: 2)
    #expect(ahead.status == 200)
    let denied = try await asking.send(.get, path, ["Last-Event-ID": "3"])
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
      asking.api.watchNodes()
    }
    guard case .idle = stream.next() else {
      Issue.record("it ended before another node could take over")
      return
    }
    await clock.advance(by: .seconds(2))
    asking.api.watchNodes()
    guard case .finished = stream.next() else {
      Issue.record("it is mute")
      return
    }
    stream.closed()
  }
}
