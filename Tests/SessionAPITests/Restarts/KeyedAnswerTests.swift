import FusionHTTPMessages
import FusionSessions
import FusionStoreDoubles
import Testing
import UIFusionTesting

struct `An answer under an idempotency key` {
  private let client = Client(store: MemorySessionStore())
  private let headers: HTTPHeaders = ["Idempotency-Key": "k", "Prefer": "wait=2"]

  @Test func `has the same status after a restart, even if its wait ended before the commit`()
    async throws
  {
    let path = try await client.session() + "/inputs"
    client.lifeline?.hold()
    let first = try client.begin(.post, path, #""increase""#, headers: headers)
    await client.clock.advance(by: .seconds(2))
    #expect(!first.isAnswered)
    client.lifeline?.release()
    #expect(try await first.answer.status == 200)
    let again = try await client.restarted().send(.post, path, #""increase""#, headers: headers)
    #expect(again.status == 200)
    #expect(again["Idempotency-Replayed"] == "true")
  }

  @Test func `is kept for a day, even across a restart`() async throws {
    let path = try await client.session() + "/inputs"
    #expect(try await client.send(.post, path, #""increase""#, headers: headers).status == 200)
    await client.clock.advance(by: .seconds(20 * 3_600))
    #expect(try await client.send(.post, path, #""increase""#).status == 200)
    let next = try await client.restarted()
    #expect(try await next.send(.post, path, #""reset""#, headers: headers).status == 422)
    await next.clock.advance(by: .seconds(5 * 3_600))
    #expect(try await next.send(.post, path, #""reset""#, headers: headers).status == 200)
  }
}
