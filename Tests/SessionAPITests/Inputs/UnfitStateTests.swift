import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import FusionStoreDoubles
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

struct `A turn whose State is refused` {
  private let client: Client
  private let store = MemorySessionStore()

  init() {
    var limits = SessionLimits()
    limits.state = 60
    client = Client(limits: limits, store: store) {
      $0.host("growing", summary: "") { Growing(time: $0.time) }
      $0.host("growing-slowly", summary: "") { GrowingSlowly(time: $0.time) }
      $0.host("growing-reactor", summary: "") { _ in GrowingReactor() }
    }
  }

  private func send(_ inputs: String, to path: String, key: String? = nil) async throws -> Answer {
    let headers: HTTPHeaders = key.map { ["Idempotency-Key": $0] } ?? [:]
    return try await client.send(.post, path + "/inputs", inputs, headers: headers)
  }

  /// Returns a session's snapshot, and expects the same one after a restart.
  private func state(of path: String) async throws -> String {
    let shown = try await client.send(.get, path).text
    let restarted = try await client.restarted().send(.get, path).text
    #expect(shown == restarted)
    return shown
  }

  @Test func `is rolled back if its State is too large, and the session lives`() async throws {
    let path = try await client.session("growing")
    #expect(try await send(#"{"add":5}"#, to: path).status == 200)
    let refused = try await send(#"{"add":90}"#, to: path, key: "k")
    #expect(refused.status == 422)
    #expect(try refused.member("type") == "/problems/state-too-large")
    #expect(refused.text.contains(#""limit":60"#) && !refused.text.contains("index"))
    // The key is free.
    let next = try await send(#"{"add":2}"#, to: path, key: "k")
    #expect(next.text.contains(#""version":3,"state":{"text":"xxxxxxx""#))
    #expect(try await state(of: path).contains(#""version":3,"#))
  }

  @Test func `is rolled back with its effects`() async throws {
    let path = try await client.session("growing")
    #expect(try await send(#"{"addThrough":90}"#, to: path).status == 422)
    await client.clock.advance(by: .seconds(2))
    #expect(client.clock.sleepers == 0)
    #expect(try await state(of: path).contains(#""version":1,"#))
  }

  @Test func `is rolled back if its State cannot be written, and the answer names the member`()
    async throws
  {
    let path = try await client.session("growing")
    let refused = try await send(#"{"divide":0}"#, to: path)
    #expect(refused.status == 500)
    #expect(try refused.member("type") == "/problems/state-not-writable")
    #expect(try refused.member("member") == "share")
    #expect(try await send(#"{"divide":2}"#, to: path).text.contains(#""share":0.5"#))
    #expect(try await state(of: path).contains(#""version":2,"#))
  }

  @Test func `of a batch keeps the Inputs before it, and drops those after it`() async throws {
    let path = try await client.session("growing")
    let batch = #"[{"add":1},{"addSoon":2},{"add":90},{"add":4}]"#
    let refused = try await send(batch, to: path, key: "k")
    #expect(refused.status == 422 && refused.text.contains(#""index":2"#))
    #expect(client.host.directory.waitingInputs == 0)
    await client.clock.advance(by: .seconds(1))
    #expect(try await client.send(.get, path).text.contains(#""version":3,"state":{"text":"xxx""#))
    // A repetition skips the Inputs that were kept.
    #expect(try await send(batch, to: path, key: "k").text.contains(#""index":2"#))
    #expect(try await state(of: path).contains(#""version":3,"#))
  }

  @Test func `of an effect is rolled back, and the session lives`() async throws {
    let path = try await client.session("growing")
    #expect(try await send(#"{"addSoon":90}"#, to: path).status == 200)
    await client.clock.advance(by: .seconds(1))
    #expect(try await send(#"{"add":1}"#, to: path).text.contains(#""version":2,"#))
    #expect(try await state(of: path).contains(#""text":"x""#))
  }

  @Test func `of an asynchronous view model is rolled back to its last wait`() async throws {
    let path = try await client.session("growing-slowly")
    let first = try await send(#"{"add":{"before":90,"after":1}}"#, to: path)
    #expect(first.status == 422)
    await client.clock.idle()
    #expect(client.clock.sleepers == 0)
    #expect(try await send(#"{"add":{"before":3,"after":90}}"#, to: path).status == 200)
    await client.clock.advance(by: .seconds(5))
    #expect(client.clock.sleepers == 0)
    let shown = try await state(of: path)
    #expect(shown.contains(#""version":2,"state":{"text":"bbb"},"settled":true"#))
  }

  @Test func `of an asynchronous view model drops the rest of its batch`() async throws {
    let path = try await client.session("growing-slowly")
    let batch = #"[{"add":{"before":90,"after":1}},{"add":{"before":1,"after":1}}]"#
    let refused = try await send(batch, to: path)
    #expect(refused.status == 422 && refused.text.contains(#""index":0"#))
    await client.clock.idle()
    #expect(client.clock.sleepers == 0 && client.host.directory.waitingInputs == 0)
    #expect(try await send(#"{"add":{"before":3,"after":1}}"#, to: path).status == 200)
    await client.clock.advance(by: .seconds(5))
    #expect(try await state(of: path).contains(#""text":"bbba!""#))
  }

  @Test func `of a reactor is rolled back, and later mutations start from the last State`()
    async throws
  {
    let path = try await client.session("growing-reactor")
    #expect(try await send(#"{"add":[2]}"#, to: path).status == 200)
    #expect(try await send(#"{"add":[90]}"#, to: path).status == 422)
    #expect(try await send(#"{"add":[1,1]}"#, to: path).status == 200)
    #expect(try await state(of: path).contains(#""text":"rrrr""#))
  }

  @Test func `creates no session`() async throws {
    var limits = SessionLimits()
    limits.state = 5
    let client = Client(limits: limits)
    let refused = try await client.send(.post, "/sessions", #"{"viewModel":"notes"}"#)
    #expect(refused.status == 422)
    #expect(try refused.member("type") == "/problems/state-too-large")
    #expect(client.host.directory.count == 0)
  }
}
