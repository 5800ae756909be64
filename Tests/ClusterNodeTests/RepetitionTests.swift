import FusionCluster
import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import FusionStoreDoubles
import Testing
import UIFusionTesting

struct `A request that another node has not answered` {
  private let clock = TestClock()
  private let memory: SharedMemory

  init() {
    let clock = clock
    memory = SharedMemory { clock.now }
  }

  /// Sends Inputs to another node's session and fails the first attempt; returns answer and attempts.
  private func send(
    _ headers: HTTPHeaders,
    _ error: ForwardingError
  ) async throws -> (answer: Exchange, asked: Int) {
    let owner = await NodeInProcess("owner", memory, clock)
    let asking = await NodeInProcess("asking", memory, clock)
    let path = try await owner.create() + "/inputs"
    let answer = try await asking.send(.post, path, headers, #"{"add":1}"#)
    try unwrap(asking.others.asked.first).answer(.failure(error))
    await clock.advance(by: .seconds(2))
    return (answer, asking.others.asked.count)
  }

  @Test func `is not retried without a key, as it may have been applied`() async throws {
    let (answer, asked) = try await send([:], .noAnswer("it died"))
    #expect(asked == 1)
    #expect(answer.status == 503 && answer.text.contains("/problems/store-in-doubt"))
  }

  @Test func `stays in doubt if it could not be sent again`() async throws {
    let owner = await NodeInProcess("owner", memory, clock)
    let asking = await NodeInProcess("asking", memory, clock)
    let path = try await owner.create() + "/inputs"
    let answer = try await asking.send(.post, path, ["Idempotency-Key": "k"], #"{"add":1}"#)
    try unwrap(asking.others.asked.first).answer(.failure(.noAnswer("it died")))
    for _ in 1...20 where answer.status == nil {
      await clock.advance(by: .milliseconds(500))
      asking.others.asked.last?.answer(.failure(.notSent("no way")))
    }
    #expect(answer.status == 503 && answer.text.contains("/problems/store-in-doubt"))
  }

  @Test(arguments: [412, 429, 503, 507])
  func `stays in doubt if its repetition is refused`(status: Int) async throws {
    let owner = await NodeInProcess("owner", memory, clock)
    let asking = await NodeInProcess("asking", memory, clock)
    let path = try await owner.create() + "/inputs"
    let answer = try await asking.send(.post, path, ["Idempotency-Key": "k"], #"{"add":1}"#)
    try unwrap(asking.others.asked.first).answer(.failure(.noAnswer("it died")))
    await clock.advance(by: .seconds(1))
    try #require(asking.others.asked.count == 2)
    asking.others.asked[1].answer(.success(HTTPResponse(status)))
    #expect(answer.status == 503 && answer.text.contains("/problems/store-in-doubt"))
  }

  @Test func `is answered at once, and not repeated, by a node that stops`() async throws {
    let owner = await NodeInProcess("owner", memory, clock)
    let asking = await NodeInProcess("asking", memory, clock)
    let path = try await owner.create() + "/inputs"
    let answer = try await asking.send(.post, path, ["Idempotency-Key": "k"], #"{"add":1}"#)
    asking.api.drain()
    try unwrap(asking.others.asked.first).answer(.failure(.noAnswer("it died")))
    #expect(answer.status == 503 && answer.text.contains("/problems/store-in-doubt"))
    await clock.advance(by: .seconds(2))
    #expect(asking.others.asked.count == 1)
  }

  @Test func `is retried if it has a key or was not sent`() async throws {
    #expect(try await send(["Idempotency-Key": "k"], .noAnswer("it died")).asked == 2)
    #expect(try await send([:], .notSent("no way")).asked == 2)
  }

  @Test func `gets no stream from a node whose lease has expired`() async throws {
    let node = await NodeInProcess("node", memory, clock)
    let path = try await node.create() + "/events"
    let first = try await node.send(.get, path)
    #expect(first.status == 200)
    node.stopRenewing()
    await clock.advance(by: .seconds(3.3))
    let late = try await node.send(.get, path)
    #expect(late.status == nil)
    await clock.advance(by: .seconds(6))
    #expect(late.status == 503 && first.stream != nil)
  }
}
