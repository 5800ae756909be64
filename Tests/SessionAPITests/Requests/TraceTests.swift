import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessionAPI
import FusionSessions
import FusionStoreDoubles
import FusionStrictJSON
import Synchronization
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

private func trace(_ name: Character) -> String { String(repeating: name, count: 32) }
private func parent(_ name: Character) -> String {
  "00-\(trace(name))-\(String(repeating: name, count: 16))-01"
}

struct `A trace` {
  private let client: Client

  init() {
    client = Client(store: MemorySessionStore()) { catalog in
      catalog.host("traced", summary: "") { Traced(time: $0.time) }
      catalog.host("async", summary: "") { TracedAsync(time: $0.time) }
    }
  }

  private func input(_ text: String, to session: String, _ name: Character?) async throws {
    let headers: HTTPHeaders = name.map { ["traceparent": parent($0)] } ?? [:]
    _ = try client.begin(.post, session + "/inputs", text, headers: headers)
    await client.clock.idle()
  }

  private func notes(_ session: String, _ client: Client) async throws -> [String] {
    let answer = try await client.send(.get, session).json()
    return answer["state"]?["notes"]?.elements.compactMap(\.string) ?? []
  }

  private func notes(_ session: String) async throws -> [String] {
    try await notes(session, client)
  }

  private func pass(_ seconds: Int = 1) async { await client.clock.advance(by: .seconds(seconds)) }

  @Test func `of an Input covers its effects, and the Actions that they send`() async throws {
    let session = try await client.session("traced")
    try await input(#""go""#, to: session, "a")
    await pass()
    #expect(
      try await notes(session)
        == ["transform a", "effect a", "after a wait a", "reduce a", "its effect a"]
    )
  }

  @Test func `covers each Input of a batch`() async throws {
    let session = try await client.session("async")
    try await input(#"[{"wait":1},{"wait":1}]"#, to: session, "a")
    await pass(2)
    #expect(
      try await notes(session) == [
        "transform a", "perform a", "after a wait a", "transform a", "perform a", "after a wait a",
      ]
    )
  }

  @Test func `does not cover other Inputs, queued or beside it`() async throws {
    let session = try await client.session("traced")
    try await input(#"{"queue":2}"#, to: session, "a")
    try await input(#"{"queue":1}"#, to: session, "b")
    try await input(#"{"queue":1}"#, to: session, nil)
    try await input(#""go""#, to: session, nil)
    await pass()
    #expect(
      try await notes(session)
        == ["transform -", "effect -", "after a wait -", "reduce -", "its effect -"]
    )
    await pass(3)
    #expect(try await notes(session).suffix(3) == ["queued a", "queued b", "queued -"])
  }

  @Test func `covers one asynchronous Input only, in order or overlapping`()
    async throws
  {
    let session = try await client.session("async")
    for (text, name) in [(#"{"beside":3}"#, "a"), (#"{"beside":2}"#, nil), (#"{"beside":1}"#, "b")]
      as [(String, Character?)]
    {
      try await input(text, to: session, name)
    }
    await pass(3)
    #expect(
      try await notes(session) == [
        "transform a", "perform a", "transform -", "perform -", "transform b", "perform b",
        "after a wait b", "after a wait -", "after a wait a",
      ]
    )
    try await input(#"{"wait":1}"#, to: session, "c")
    try await input(#"{"wait":1}"#, to: session, nil)
    await pass(2)
    #expect(
      try await notes(session).suffix(6) == [
        "transform c", "perform c", "after a wait c", "transform -", "perform -", "after a wait -",
      ]
    )
  }

  @Test func `covers an error, a later step, and a timer`() async throws {
    let session = try await client.session("traced")
    try await input(#"["fail","serial"]"#, to: session, "a")
    await pass()
    #expect(
      try await notes(session).sorted()
        == ["error a", "first", "its effect a", "reduce a", "second a", "sent a"]
    )
    try await input(#""tick""#, to: session, "b")
    await pass(2)
    try await input(#"["stop","send"]"#, to: session, nil)
    #expect(try await notes(session).suffix(3) == ["sent b", "sent b", "sent -"])
  }

  @Test(arguments: ["a", nil] as [Character?])
  func `covers an Action that is sent at once`(name: Character?) async throws {
    let session = try await client.session("traced")
    try await input(#""soon""#, to: session, name)
    #expect(try await notes(session) == ["sent \(name ?? "-")"])
  }

  @Test func `ends with the process`() async throws {
    let session = try await client.session("traced")
    try await input(#""go""#, to: session, "a")
    let next = try await client.restarted()
    // Wakes the session.
    #expect(try await notes(session, next).prefix(2) == ["transform a", "effect a"])
    await next.clock.advance(by: .seconds(1))
    #expect(
      try await notes(session, next).suffix(5)
        == ["restored -", "effect -", "after a wait -", "reduce -", "its effect -"]
    )
  }

  @Test(arguments: ["", "00-zz", parent("a") + "-", parent("0"), parent("a").uppercased()])
  func `that is malformed is ignored`(value: String) async throws {
    let session = try await client.session("traced")
    let answer = try await client.send(
      .post,
      session + "/inputs",
      #""send""#,
      headers: ["traceparent": value]
    )
    #expect(answer.status == 200)
    #expect(try await notes(session) == ["sent -"])
  }

  @Test func `is ignored if a request names several`() async throws {
    let session = try await client.session("traced")
    var headers: HTTPHeaders = ["Traceparent": parent("a")]
    headers.append("traceparent", parent("a"))
    _ = try await client.send(.post, session + "/inputs", #""send""#, headers: headers)
    #expect(try await notes(session) == ["sent -"])
  }

  @Test func `covers an Input with an idempotency key`() async throws {
    let session = try await client.session("traced")
    let headers: HTTPHeaders = ["traceparent": parent("a"), "Idempotency-Key": "k"]
    _ = try await client.send(.post, session + "/inputs", #""send""#, headers: headers)
    #expect(try await notes(session) == ["sent a"])
  }

  @Test func `is in the records of its request and Input`() async throws {
    let ids = Mutex<[String?]>([])
    let records = Records()
    var options = SessionAPI.Options()
    options.log = { records.add($0) }
    let client = Client(
      options: options,
      inputReport: { _, record in
        ids.withLock { $0.append(record.origin?.trace?.traceID) }
      }
    )
    let session = try await client.session()
    for name in ["a", nil] as [Character?] {
      let headers: HTTPHeaders = name.map { ["traceparent": parent($0)] } ?? [:]
      _ = try await client.send(.post, session + "/inputs", #""increase""#, headers: headers)
    }
    #expect(ids.withLock { $0 } == [trace("a"), nil])
    #expect(records.all.map(\.trace) == [nil, trace("a"), nil])
    let rejected = RejectedRequest(
      .contentTooLarge.limited(to: 7),
      id: .new(),
      method: .post,
      headers: ["traceparent": parent("b")]
    )
    _ = client.api.answer(to: rejected)
    #expect(records.all.last?.trace == trace("b"))
  }
}
