import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import FusionStoreDoubles
import Testing
import UIFusionTesting

struct `A service whose memory is full` {
  private let client: Client
  private let small: String
  private let large: String

  init() async throws {
    var limits = SessionLimits()
    limits.memory = 1_000_000
    client = Client(limits: limits, store: MemorySessionStore())
    small = try await client.session("notes")
    large = try await client.session("notes")
    let note = String(repeating: "x", count: 3_000)
    try await client.send(.post, large + "/inputs", #"{"add":"\#(note)"}"#)
    client.host.memory.set(isFull: true)
  }

  private func expectRefused(_ answer: Answer) throws {
    #expect(answer.status == 503)
    #expect(try answer.member("type") == "/problems/memory-full")
    #expect(answer.text.contains("--max-memory") && answer.text.contains(#""limit":1000000"#))
    #expect(answer["Retry-After"] == "5")
  }

  @Test func `refuses new sessions`() async throws {
    try expectRefused(await client.send(.post, "/sessions", #"{"viewModel":"notes"}"#))
    client.host.memory.set(isFull: false)
    #expect(try await client.send(.post, "/sessions", #"{"viewModel":"notes"}"#).status == 201)
  }

  @Test(arguments: ["", "/inputs"])
  func `neither shows nor changes large States`(resource: String) async throws {
    let input = resource == "/inputs" ? #""clear""# : nil
    let method = input == nil ? HTTPMethod.get : .post
    try expectRefused(await client.send(method, large + resource, input))
    client.host.memory.set(isFull: false)
    #expect(try await client.send(method, large + resource, input).status == 200)
  }

  @Test(arguments: [false, true])
  func `answers a request for a stream of a large State with a time to retry`(
    isShared: Bool
  ) async throws {
    let id = try #require(large.split(separator: "/").last)
    let target = isShared ? "/events?session=\(id)" : large + "/events"
    let answer = try await client.send(.get, target)
    #expect(answer.status == 200 && answer.response.body.count != nil)
    #expect(answer.text == "retry: 30000\n\n" && answer["Retry-After"] == "30")
    #expect(answer["Connection"] == "close")
    let metrics = try await client.send(.get, "/metrics").text
    #expect(metrics.contains("\nuifusion_refused_total{limit=\"max-memory\"} 1\n"))
  }

  @Test func `ends streams of large States`() async throws {
    client.host.memory.set(isFull: false)
    let readers = try await [client.follow(large + "/events"), client.follow(small + "/events")]
    for reader in readers { _ = reader.read() }
    client.host.memory.set(isFull: true)
    client.api.tick()
    #expect(readers.map(\.cuts) == [1, 0])
    #expect(readers.map { $0.read() } == ["<end>", ""])
  }

  @Test func `ends a stream whose State has become large`() async throws {
    client.host.memory.set(isFull: false)
    let reader = try await client.follow(small + "/events")
    _ = reader.read()
    let note = String(repeating: "x", count: 3_000)
    try await client.send(.post, small + "/inputs", #"{"add":"\#(note)"}"#)
    client.host.memory.set(isFull: true)
    #expect(reader.read() == "<end>")
  }

  @Test func `refuses a long request even for a small State`() async throws {
    let note = String(repeating: "x", count: 3_000)
    try expectRefused(await client.send(.post, small + "/inputs", #"{"add":"\#(note)"}"#))
    #expect(try await client.send(.get, small).text.contains(#""notes":[]"#))
  }

  @Test func `goes on with small States`() async throws {
    #expect(try await client.send(.post, small + "/inputs", #"{"add":"x"}"#).status == 200)
    let reader = try await client.follow(small + "/events")
    #expect(reader.read().contains(#""notes":["x"]"#))
  }

  @Test func `lets every session be deleted`() async throws {
    #expect(try await client.send(.delete, large).status == 204)
    #expect(try await client.send(.delete, small).status == 204)
  }

  @Test func `answers for health and metrics, and deletes sleeping sessions`() async throws {
    for path in ["/healthz", "/readyz", "/metrics"] {
      #expect(try await client.send(.get, path).status == 200)
    }
    #expect(try await client.send(.get, "/metrics").text.contains("uifusion_refused_total"))
    let next = try await client.restarted()
    next.host.memory.set(isFull: true)
    #expect(try await next.send(.delete, large).status == 204)
  }

  @Test(arguments: [2_048, 2_049])
  func `takes a request of 2 KiB, and refuses one with a byte more`(length: Int) async throws {
    let note = String(repeating: " ", count: length - 7) + #""clear""#
    let answer = try await client.send(.post, small + "/inputs", note)
    #expect(answer.status == (length == 2_048 ? 200 : 503))
  }

  @Test func `leaves the key of refused Inputs free`() async throws {
    let key: HTTPHeaders = ["Idempotency-Key": "k"]
    let path = large + "/inputs"
    try expectRefused(await client.send(.post, path, #""clear""#, headers: key))
    client.host.memory.set(isFull: false)
    let answer = try await client.send(.post, path, #""clear""#, headers: key)
    #expect(answer.status == 200 && answer["Idempotency-Replayed"] == nil)
  }

  @Test func `refuses a large State at the end of a long poll`() async throws {
    client.host.memory.set(isFull: false)
    let headers: HTTPHeaders = ["If-None-Match": "\"2\"", "Prefer": "wait=60"]
    let held = try client.begin(.get, large, headers: headers)
    client.host.memory.set(isFull: true)
    await client.clock.advance(by: .seconds(60))
    #expect(try await held.answer.status == 503)
  }

  @Test
  func
    `answers a request for a sleeping State's stream with a time to retry, and keeps the session`()
    async throws
  {
    let next = try await client.restarted()
    next.host.memory.set(isFull: true)
    for _ in 0..<3 {
      let answer = try await next.send(.get, large + "/events")
      #expect(answer.status == 200 && answer.text == "retry: 30000\n\n")
      await next.clock.advance(by: .seconds(1_000))
      next.host.expirer.expire()
    }
    next.host.memory.set(isFull: false)
    #expect(try await next.send(.get, large).status == 200)
  }

  @Test func `wakes no session with a large State`() async throws {
    let next = try await client.restarted()
    next.host.memory.set(isFull: true)
    try expectRefused(await next.send(.get, large))
    #expect(try await next.send(.get, small).status == 200)
    next.host.memory.set(isFull: false)
    let woken = try await next.send(.get, large)
    #expect(woken.status == 200, "\(woken.text)")
  }
}
