import FusionCluster
import FusionHTTPMessages
import FusionSessions
import FusionStoreDoubles
import Testing
import UIFusionTesting

struct `A node under health checks` {
  private let clock = TestClock()
  private let memory: SharedMemory

  init() {
    let clock = clock
    memory = SharedMemory { clock.now }
  }

  /// Sends Inputs that the other node does not answer yet.
  private func sendInputs() async throws -> (asking: NodeInProcess, path: String, Exchange) {
    let owner = await NodeInProcess("owner", memory, clock)
    let asking = await NodeInProcess("asking", memory, clock)
    let path = try await owner.create() + "/inputs"
    return (asking, path, try await asking.send(.post, path, [:], #"{"add":1}"#))
  }

  @Test func `keeps its requests if the connection of a check breaks`() async throws {
    let (asking, path, answer) = try await sendInputs()
    asking.cluster.watch()
    try unwrap(asking.others.healthChecks.last).answer(.failure(.noAnswer("it was reset")))
    #expect(answer.status == nil)
    _ = try await asking.send(.post, path, [:], #"{"add":1}"#)
    #expect(asking.others.asked.count == 2)
    try unwrap(asking.others.asked.first).answer(.success(HTTPResponse(200)))
    #expect(answer.status == 200)
  }

  @Test func `keeps its requests if it has answered a later check`() async throws {
    let (asking, path, answer) = try await sendInputs()
    asking.cluster.watch()
    await clock.advance(by: .seconds(1))
    asking.cluster.watch()
    try #require(asking.others.healthChecks.count == 2)
    asking.others.healthChecks[1].answer(.success(HTTPResponse(200)))
    await clock.advance(by: .seconds(2))
    asking.others.healthChecks[0].answer(.failure(.noAnswer("no answer came in time")))
    #expect(answer.status == nil)
    _ = try await asking.send(.post, path, [:], #"{"add":1}"#)
    #expect(asking.others.asked.count == 2)
  }

  @Test func `gets no other requests while it does not answer`() async throws {
    let (asking, path, answer) = try await sendInputs()
    asking.cluster.watch()
    await clock.advance(by: .seconds(3))
    try unwrap(asking.others.healthChecks.last).answer(
      .failure(.noAnswer("no answer came in time"))
    )
    #expect(answer.status == 503 && answer.text.contains("store-in-doubt"))
    let next = try await asking.send(.post, path, [:], #"{"add":1}"#)
    #expect(asking.others.asked.count == 1 && next.status == nil)
    asking.cluster.watch()
    try unwrap(asking.others.healthChecks.last).answer(.success(HTTPResponse(200)))
    await clock.advance(by: .seconds(1))
    #expect(asking.others.asked.count == 2)
  }
}
