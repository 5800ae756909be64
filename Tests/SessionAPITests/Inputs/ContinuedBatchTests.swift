import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import FusionStoreDoubles
import Testing
import UIFusionServer
import UIFusionTesting

/// A request with a key, of which a failure of the store left only the first Input.
struct `A repetition that goes on behind the first Input` {
  private let client = Client(store: MemorySessionStore()) {
    $0.host("ledger", summary: "") { _ in Ledger() }
  }

  private func send(
    _ body: String,
    to id: String,
    key: String = "k",
    wait seconds: Int? = nil
  ) throws -> Pending {
    var headers: HTTPHeaders = ["Idempotency-Key": key]
    if let seconds { headers["Prefer"] = "wait=\(seconds)" }
    return try client.begin(.post, "/sessions/\(id)/inputs", body, headers: headers)
  }

  private func create() async throws -> String {
    let answer = try await client.send(.post, "/sessions", #"{"viewModel":"ledger"}"#)
    return String(try #require(answer["Location"]).dropFirst("/sessions/".count))
  }

  @Test(arguments: [true, false])
  func `is settled only once that Input's messages are`(isRestarted: Bool) async throws {
    let (a, b) = (try await create(), try await create())
    let body = #"[{"tell":{"_0":[1],"to":"\#(b)"}},{"note":2}]"#
    let lifeline = try #require(client.lifeline)
    lifeline.hold()
    let lost = try send(body, to: a)
    await client.clock.idle()
    lifeline.fail(.unreachable("on purpose"))
    lifeline.release()
    #expect(try await lost.answer.status == 503)
    lifeline.fail(nil)
    let client = isRestarted ? try await client.restarted() : client
    // Nobody delivers messages yet.
    var headers: HTTPHeaders = ["Idempotency-Key": "k"]
    let early = try await client.send(.post, "/sessions/\(a)/inputs", body, headers: headers)
    #expect(early.text.contains(#""notes":[2]"#) && early.text.hasSuffix(#""settled":false}"#))
    headers["Prefer"] = "wait=9"
    let late = try client.begin(.post, "/sessions/\(a)/inputs", body, headers: headers)
    await client.clock.advance(by: .seconds(1))
    #expect(!late.isAnswered)
    client.api.connectSessions()
    await client.clock.advance(by: .seconds(4))
    #expect(try await late.answer.text.hasSuffix(#""settled":true}"#))
  }
}
