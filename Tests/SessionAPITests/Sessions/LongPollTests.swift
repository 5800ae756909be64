import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import FusionStrictJSON
import Testing
import UIFusionTesting

struct `A long poll` {
  private let client = Client()

  private func poll(_ path: String, _ known: String = "\"1\"", _ prefer: String = "wait=25") throws
    -> Pending
  {
    try client.begin(.get, path, headers: ["If-None-Match": known, "Prefer": prefer])
  }

  @Test func `is held until the version changes`() async throws {
    let path = try await client.session()
    let pending = try poll(path)
    await client.clock.advance(by: .seconds(24))
    #expect(!pending.isAnswered)
    _ = try await client.send(.post, path + "/inputs", #""increase""#)
    let answer = try await pending.answer
    #expect(answer.status == 200)
    #expect(answer["ETag"] == "\"2\"")
    #expect(answer["Preference-Applied"] == "wait=25")
    #expect(answer.text == (try await client.send(.get, path)).text)
    _ = try await client.send(.post, path + "/inputs", #""increase""#)
    await client.clock.advance(by: .seconds(60))
    #expect(pending.count == 1)
    #expect(client.host.timeouts.count == 0 && client.clock.sleepers == 0)
  }

  @Test func `tells whether the session is settled after the turn`() async throws {
    let path = try await client.session("counter")
    let loading = try poll(path)
    _ = try await client.send(.post, path + "/inputs", #""increase""#)
    #expect(try await loading.answer.text.contains("increasing"))
    #expect(try await loading.answer.text.hasSuffix(#""settled":false}"#))
    let loaded = try poll(path, "\"2\"")
    await client.clock.advance(by: .milliseconds(500))
    #expect(try await loaded.answer.text.hasSuffix(#""settled":true}"#))
  }

  @Test func `ends with 304 when its time is up`() async throws {
    let path = try await client.session()
    for (known, prefer, wait) in [
      ("\"1\"", "wait=25", 25), ("W/\"1\"", "WAIT=\"3\"", 3), ("\"0\", \"1\"", "wait=100", 60),
      ("*", "respond-async, wait=1", 1),
    ] {
      let pending = try poll(path, known, prefer)
      await client.clock.advance(by: .seconds(wait) - .milliseconds(1))
      #expect(!pending.isAnswered)
      await client.clock.advance(by: .milliseconds(1))
      let answer = try await pending.answer
      #expect(answer.status == 304)
      #expect(answer.text == "")
      #expect(answer["ETag"] == "\"1\"")
      #expect(answer["Preference-Applied"] == "wait=\(wait)")
    }
  }

  private static let requests: [(String?, String?, Int, String?)] = [
    ("\"1\"", nil, 304, nil), ("\"1\"", "wait=0", 304, "wait=0"), ("\"1\"", "wait=x", 304, nil),
    ("\"1\"", "return=minimal", 304, nil), ("\"2\"", "wait=25", 200, "wait=25"),
    (nil, "wait=25", 200, nil), ("nonsense", nil, 200, nil),
  ]

  @Test(arguments: requests)
  func `is not held without both headers, or with nothing to wait for`(
    known: String?,
    prefer: String?,
    status: Int,
    applied: String?
  ) async throws {
    let path = try await client.session()
    var headers: HTTPHeaders = [:]
    headers["If-None-Match"] = known
    headers["Prefer"] = prefer
    let pending = try client.begin(.get, path, headers: headers)
    #expect(pending.isAnswered)
    #expect(try await pending.answer.status == status)
    #expect(try await pending.answer["Preference-Applied"] == applied)
    #expect(client.clock.sleepers == 0)
  }

  @Test func `goes on if the new version is a known one, too`() async throws {
    let path = try await client.session()
    let pending = try poll(path, "\"1\", \"2\"")
    _ = try await client.send(.post, path + "/inputs", #""increase""#)
    await client.clock.idle()
    #expect(!pending.isAnswered)
    _ = try await client.send(.post, path + "/inputs", #""increase""#)
    #expect(try await pending.answer["ETag"] == "\"3\"")
  }

  @Test func `ends with 410 when its session does`() async throws {
    let path = try await client.session()
    let pending = try poll(path)
    _ = try await client.send(.delete, path)
    #expect(try await pending.answer.status == 410)
    #expect(try await pending.answer.member("type") == "/problems/ended-session")
    await client.clock.advance(by: .seconds(25))
    #expect(pending.count == 1)
  }

  @Test func `keeps its session from expiring`() async throws {
    var limits = SessionLimits()
    limits.idleTime = .seconds(10)
    let client = Client(limits: limits)
    let path = try await client.session()
    let pending = try client.begin(
      .get,
      path,
      headers: ["If-None-Match": "*", "Prefer": "wait=60"]
    )
    await client.clock.advance(by: .seconds(59))
    client.host.expirer.expire()
    #expect(client.host.directory.count == 1)
    await client.clock.advance(by: .seconds(1))
    #expect(pending.isAnswered)
    await client.clock.advance(by: .seconds(9))
    client.host.expirer.expire()
    #expect(client.host.directory.count == 1)
    await client.clock.advance(by: .seconds(1))
    client.host.expirer.expire()
    #expect(client.host.directory.count == 0)
  }

  @Test func `is answered at once when the service begins to stop`() async throws {
    let path = try await client.session()
    let pending = try (0..<10).map { _ in try poll(path) }
    client.api.readiness.phase = .leaving
    #expect(pending.allSatisfy { !$0.isAnswered })
    client.api.drain()
    #expect(pending.allSatisfy { $0.first?.status == 304 })
    #expect(client.api.readiness.phase == .draining)
    #expect(try poll(path).first?.status == 304)
    #expect(client.clock.sleepers == 0)
  }

  @Test func `is answered together with thousands of others`() async throws {
    let path = try await client.session()
    let pending = try (0..<5_000).map { _ in try poll(path) }
    await client.clock.idle()
    #expect(client.clock.sleepers == 1)
    _ = try await client.send(.post, path + "/inputs", #""increase""#)
    await client.clock.idle()
    #expect(pending.allSatisfy { $0.first?.headers["ETag"] == "\"2\"" })
    #expect(client.host.timeouts.count == 0)
  }

  @Test func `works with HEAD`() async throws {
    let path = try await client.session()
    let pending = try client.begin(
      .head,
      path,
      headers: ["If-None-Match": "\"1\"", "Prefer": "wait=5"]
    )
    #expect(!pending.isAnswered)
    _ = try await client.send(.post, path + "/inputs", #""increase""#)
    #expect(try await pending.answer["ETag"] == "\"2\"")
  }

  @Test func `sees no version twice, and reaches the last one, while many are made`() async throws {
    let path = try await client.session()
    async let writing: Void = {
      for _ in 0..<500 {
        _ = try await client.send(.post, path + "/inputs", #""increase""#)
        await Task.yield()
      }
    }()
    var version = 1
    while version < 501 {
      let answer = try await poll(path, "\"\(version)\"").answer
      let next = try #require(try answer.json()["version"]).decode(Int.self)
      #expect(answer.status == 200 && next > version)
      version = next
    }
    try await writing
    #expect(client.host.timeouts.count == 0)
  }
}
