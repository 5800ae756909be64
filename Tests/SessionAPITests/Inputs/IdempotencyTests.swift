import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import FusionStoreDoubles
import FusionStrictJSON
import Testing
import UIFusionTesting

struct `Idempotency-Key` {
  private let client = Client()

  private func begin(
    _ path: String,
    _ body: String = #""increase""#,
    key: String = "k",
    headers more: HTTPHeaders = [:]
  ) throws -> Pending {
    var headers = more
    headers.append("Idempotency-Key", key)
    return try client.begin(.post, path + "/inputs", body, headers: headers)
  }

  private func send(
    _ path: String,
    _ body: String = #""increase""#,
    key: String = "k",
    headers more: HTTPHeaders = [:]
  ) async throws -> Answer {
    try await begin(path, body, key: key, headers: more).answer
  }

  private func value(_ path: String) async throws -> Int? {
    try await client.send(.get, path).json()["state"]?["value"]?.decode(Int.self)
  }

  @Test
  func
    `answers a repetition with the first status and the current State, and applies nothing`()
    async throws
  {
    let path = try await client.session()
    let first = try await send(path, #"["increase","increase"]"#)
    #expect(first.status == 200)
    #expect(first["Idempotency-Replayed"] == nil)
    _ = try await client.send(.post, path + "/inputs", #""reset""#)
    for _ in 0..<3 {
      let again = try await send(path, #"["increase","increase"]"#)
      #expect(again.status == 200)
      #expect(again.text.hasPrefix(#"{"version":4,"state":{"value":0,"#))
      #expect(again["Content-Type"] == first["Content-Type"])
      #expect(again["Idempotency-Replayed"] == "true")
    }
    #expect(try await value(path) == 0)
  }

  @Test func `gives the first status whatever the repetition prefers or demands`() async throws {
    let path = try await client.session()
    let first = try await send(path, headers: ["Prefer": "return=minimal"])
    #expect(first.status == 204 && first["ETag"] == "\"2\"")
    for (more, applied): (HTTPHeaders, String) in [
      ([:], ""), (["Prefer": "return=minimal"], ""), (["Prefer": "wait=5"], ", wait=5"),
      (["Prefer": "respond-async"], ""), (["If-Match": "\"1\""], ""),
      (["If-Match": "\"99\""], ""),
    ] {
      let again = try await send(path, headers: more)
      #expect(again.status == 204 && again["ETag"] == "\"2\"" && again.text == "")
      #expect(again["Preference-Applied"] == "return=minimal" + applied)
      #expect(again["Idempotency-Replayed"] == "true")
    }
    #expect(try await value(path) == 1)
  }

  @Test func `is refused with any other body, byte by byte`() async throws {
    let path = try await client.session()
    _ = try await send(path)
    for body in [#""reset""#, #" "increase""#, #"["increase"]"#, "{", ""] {
      let answer = try await send(path, body)
      #expect(answer.status == 422)
      #expect(try answer.member("type") == "/problems/reused-idempotency-key")
    }
    #expect(try await value(path) == 1)
  }

  @Test func `is scoped to its session`() async throws {
    for _ in 0..<2 {
      let path = try await client.session()
      #expect(try await send(path)["Idempotency-Replayed"] == nil)
    }
  }

  @Test func `is stored with a digest that differs between sessions with the same body`()
    async throws
  {
    let store = MemorySessionStore()
    let client = Client(store: store)
    var digests: Set<[UInt8]> = []
    for _ in 0..<2 {
      let path = try await client.session()
      let headers: HTTPHeaders = ["Idempotency-Key": "k"]
      try await client.send(.post, path + "/inputs", #""increase""#, headers: headers)
      let id = try #require(SessionID(String(path.suffix(22))))
      digests.insert(try #require(store.stored(id)?.keys.last).digest)
    }
    #expect(digests.count == 2)
  }

  @Test func `lets duplicates of a request in progress wait for its answer`() async throws {
    let path = try await client.session("counter")
    let running = try client.begin(.post, path + "/inputs", #""increase""#)
    let first = try begin(path)
    let duplicates = try (0..<3).map { _ in try begin(path) }
    let other = try begin(path, #""reset""#)
    #expect(running.isAnswered && !first.isAnswered)
    #expect(duplicates.allSatisfy { !$0.isAnswered })
    #expect(other.first?.status == 422)
    await client.clock.advance(by: .milliseconds(500))
    let answer = try await first.answer
    for duplicate in duplicates {
      #expect(try await duplicate.answer.text == answer.text)
      #expect(try await duplicate.answer["Idempotency-Replayed"] == "true")
    }
    #expect(answer["Idempotency-Replayed"] == nil)
    await client.clock.advance(by: .seconds(5))
    #expect(try await value(path) == 2)
    #expect((duplicates + [first]).allSatisfy { $0.count == 1 })
  }

  @Test func `answers a duplicate by its own preference`() async throws {
    let path = try await client.session("counter")
    let first = try begin(path, headers: ["Prefer": "wait=5"])
    let brief = try begin(path)
    let patient = try begin(path, headers: ["Prefer": "wait=5"])
    #expect(!first.isAnswered && !patient.isAnswered)
    #expect(try await brief.answer.text.hasSuffix(#""settled":false}"#))
    #expect(try await brief.answer["Idempotency-Replayed"] == "true")
    await client.clock.advance(by: .milliseconds(500))
    let answer = try await first.answer
    #expect(answer.text.hasSuffix(#""settled":true}"#))
    #expect(try await patient.answer.text == answer.text)
    #expect(try await patient.answer["Preference-Applied"] == "wait=5")
    #expect(try await send(path).text == answer.text)
  }

  @Test func `answers a duplicate whose wait ends first with the current State`() async throws {
    let path = try await client.session("slow")
    let first = try begin(path, "9", headers: ["Prefer": "wait=30"])
    let brief = try begin(path, "9", headers: ["Prefer": "wait=2"])
    let async = try begin(path, "9", headers: ["Prefer": "respond-async"])
    // The status of the first answer, though that is still to come.
    #expect(async.first?.status == 200)
    await client.clock.advance(by: .seconds(2))
    #expect(try await brief.answer.status == 200)
    #expect(try await brief.answer.text == #"{"version":2,"state":-9,"settled":false}"#)
    #expect(try await brief.answer["Idempotency-Replayed"] == "true")
    await client.clock.advance(by: .seconds(7))
    #expect(try await first.answer.text == #"{"version":3,"state":9,"settled":true}"#)
    #expect(try await send(path, "9").text == #"{"version":3,"state":9,"settled":true}"#)
    #expect(brief.count == 1 && async.count == 1)
  }

  @Test func `keeps the 202 of an Input that was still queued when its wait ended`() async throws {
    let path = try await client.session("slow")
    _ = try client.begin(.post, path + "/inputs", "5")
    let first = try begin(path, "1", headers: ["Prefer": "wait=2"])
    await client.clock.advance(by: .seconds(2))
    #expect(try await first.answer.status == 202)
    await client.clock.advance(by: .seconds(10))
    let again = try await send(path, "1")
    #expect(again.status == 202 && again["Idempotency-Replayed"] == "true")
  }

  @Test func `keeps the 202 of respond-async`() async throws {
    let path = try await client.session("slow")
    _ = try client.begin(.post, path + "/inputs", "5")
    let first = try await send(path, "1", headers: ["Prefer": "respond-async"])
    #expect(first.status == 202)
    await client.clock.advance(by: .seconds(10))
    let again = try await send(path, "1")
    #expect(again.status == 202 && again.text == #"{"version":5,"state":6}"#)
    #expect(again["Idempotency-Replayed"] == "true")
    #expect(try await client.send(.post, path + "/inputs", "[]").text.contains(#""state":6"#))
  }

  @Test func `is taken only by Inputs that were processed`() async throws {
    var limits = SessionLimits()
    limits.queuedInputs = 1
    let client = Client(limits: limits)
    let path = try await client.session("slow") + "/inputs"
    let key: HTTPHeaders = ["Idempotency-Key": "k"]
    #expect(try await client.send(.post, path, "{", headers: key).status == 400)
    #expect(try await client.send(.post, path, #""nope""#, headers: key).status == 422)
    var failing = key
    failing["If-Match"] = "\"7\""
    #expect(try await client.send(.post, path, "1", headers: failing).status == 412)
    _ = try client.begin(.post, path, "1")
    _ = try client.begin(.post, path, "1")
    #expect(try await client.send(.post, path, "[3,4]", headers: key).status == 429)
    await client.clock.advance(by: .seconds(2))
    let first = try await client.send(.post, path, "5", headers: key)
    #expect(first.status == 200 && first["Idempotency-Replayed"] == nil)
  }

  @Test func `passes from a refused request to a waiting duplicate`() async throws {
    let path = try await client.session("slow")
    _ = try client.begin(.post, path + "/inputs", "5")
    let first = try begin(path, "1", headers: ["If-Match": "\"2\""])
    let second = try begin(path, "1")
    let third = try begin(path, "1", headers: ["Prefer": "wait=30"])
    #expect(!first.isAnswered && !second.isAnswered && !third.isAnswered)
    await client.clock.advance(by: .seconds(5))
    #expect(try await first.answer.status == 412)
    #expect(try await second.answer.status == 200)
    #expect(try await second.answer["Idempotency-Replayed"] == nil)
    await client.clock.advance(by: .seconds(5))
    #expect(try await third.answer["Idempotency-Replayed"] == "true")
    #expect(try await client.send(.post, path + "/inputs", "[]").text.contains(#""state":6"#))
    #expect([first, second, third].allSatisfy { $0.count == 1 })
  }

  @Test func `answers duplicates 410, too, when the session ends`() async throws {
    let path = try await client.session("slow")
    let working = try begin(path, "5", key: "a", headers: ["Prefer": "wait=30"])
    let queued = try begin(path, "1", key: "b")
    let duplicates = [
      try begin(path, "5", key: "a", headers: ["Prefer": "wait=30"]),
      try begin(path, "1", key: "b"),
    ]
    _ = try await client.send(.delete, path)
    await client.clock.idle()
    for pending in [working, queued] + duplicates {
      #expect(pending.first?.status == 410)
      #expect(pending.count == 1)
    }
  }

  @Test(arguments: [
    ("a", 200), ("8e03978e-40d5-43e8-bc93-6894a57f9324", 200), ("\"a\"", 200), ("a,b;c=\"d\"", 200),
    (#""a\"b\\c""#, 200), ("!~", 200), (String(repeating: "x", count: 255), 200),
    ("\"" + String(repeating: "x", count: 255) + "\"", 200),
    (String(repeating: "x", count: 256), 400), ("", 400), ("\"\"", 400), ("a b", 400), ("é", 400),
    ("\"a", 400), ("\"a\" b", 400), ("\"a\";p=1", 400), ("\"a b\"", 400), ("\"", 400),
    ("a\u{7F}", 400),
  ])
  func `is 1 to 255 visible characters, bare or quoted`(key: String, status: Int) async throws {
    let path = try await client.session()
    let answer = try await send(path, key: key)
    #expect(answer.status == status)
    if status == 400 {
      #expect(try answer.member("type") == "/problems/malformed-idempotency-key")
      #expect(try await value(path) == 0)
    }
  }

  @Test func `is the same with and without quotes, and is refused if it is sent twice`()
    async throws
  {
    let path = try await client.session()
    _ = try await send(path, key: "abc")
    #expect(try await send(path, key: "\"abc\"")["Idempotency-Replayed"] == "true")
    #expect(try await send(path, key: "ABC")["Idempotency-Replayed"] == nil)
    #expect(try await send(path, headers: ["Idempotency-Key": "x"]).status == 400)
  }

  @Test func `is kept for the last 1000`() async throws {
    let path = try await client.session()
    for number in 0...1_000 { _ = try await send(path, key: "\(number)") }
    #expect(try await send(path, key: "1")["Idempotency-Replayed"] == "true")
    #expect(try await send(path, key: "1000")["Idempotency-Replayed"] == "true")
    #expect(try await send(path, key: "0")["Idempotency-Replayed"] == nil)
    #expect(try await value(path) == 1_002)
  }

  @Test func `is kept for a day`() async throws {
    let path = try await client.session()
    _ = try await send(path)
    await client.clock.advance(by: .seconds(24 * 3600 - 1))
    #expect(try await send(path)["Idempotency-Replayed"] == "true")
    await client.clock.advance(by: .seconds(1))
    #expect(try await send(path)["Idempotency-Replayed"] == nil)
    #expect(try await value(path) == 2)
  }

  @Test(arguments: ["counter", "counter-sync"])
  func `applies only one of many simultaneous duplicates`(viewModel: String) async throws {
    let path = try await client.session(viewModel)
    let sent = try await withThrowingTaskGroup { group in
      for number in 0..<200 {
        group.addTask {
          try begin(
            path,
            key: "\(number % 10)",
            headers: number % 3 == 0 ? ["Prefer": "wait=60"] : [:]
          )
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    await client.clock.advance(by: .seconds(60))
    #expect(sent.allSatisfy { $0.count == 1 && $0.first?.status == 200 })
    #expect(sent.filter { $0.first?.headers["Idempotency-Replayed"] == nil }.count == 10)
    #expect(try await value(path) == 10)
  }
}
