import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import FusionStoreDoubles
import FusionStrictJSON
import Testing
import UIFusionTesting

/// Shares in one process, without a store unless a test has one.
struct `A share of a session` {
  private let client: Client

  init() {
    client = Client()
  }

  private func share(
    _ path: String,
    _ body: String = #"{"role":"observer"}"#,
    with client: Client? = nil
  ) async throws -> String {
    let shared = try await (client ?? self.client).send(.post, path + "/shares", body)
    #expect(shared.status == 201)
    return try #require(shared["Location"])
  }

  private func id(_ path: String) -> String { String(path.dropFirst("/sessions/".count)) }

  @Test func `shows an observer the session under its own id`() async throws {
    let path = try await client.session()
    let shared = try await share(path)
    #expect(id(shared).count == 22 && shared != path)
    let seen = try await client.send(.get, shared)
    let own = try await client.send(.get, path)
    #expect(seen.status == 200 && seen["ETag"] == own["ETag"])
    #expect(seen.text == own.text.replacing(id(path), with: id(shared)))
    let reader = try await client.follow(shared + "/events")
    let several = try await client.follow("/events?session=\(id(shared))")
    #expect(reader.read().contains(#""version":1"#))
    #expect(several.read().contains(#"{"session":"\#(id(shared))","version":1"#))
    let poll = try client.begin(
      .get,
      shared,
      headers: ["If-None-Match": "\"1\"", "Prefer": "wait=9"]
    )
    try await client.send(.post, path + "/inputs", #""increase""#)
    #expect(reader.read().contains(#""version":2"#))
    let text = several.read()
    #expect(text.contains(#"{"session":"\#(id(shared))","version":2"#) && !text.contains(id(path)))
    let polled = try await poll.answer
    #expect(polled.status == 200 && polled.text.contains(#"{"id":"\#(id(shared))""#))
  }

  @Test func `shows a sleeping session of another identity`() async throws {
    var options = SessionAPI.Options()
    options.authenticate = { request, _, done in
      done(.success(request.headers["X-User"].map { RequestSender($0) }))
    }
    let client = Client(options: options, store: MemorySessionStore())
    let ada: HTTPHeaders = ["X-User": "ada"]
    let new = #"{"viewModel":"counter-sync"}"#
    let created = try await client.send(.post, "/sessions", new, headers: ada)
    let path = try #require(created["Location"])
    let answer = try await client.send(
      .post,
      path + "/shares",
      #"{"role":"observer"}"#,
      headers: ada
    )
    let shared = try #require(answer["Location"])
    for events in [shared + "/events", "/events?session=\(id(shared))"] {
      await client.clock.advance(by: .seconds(61))
      await client.host.sleeper.putIdleToSleep()
      let reader = try await client.follow(events)
      #expect(reader.read().contains(#""version":1"#))
      reader.close()
    }
  }

  @Test func `lets a driver send Inputs, but not an observer`() async throws {
    let path = try await client.session()
    let driver = try await share(path, #"{"role":"driver"}"#)
    let observer = try await share(path)
    let sent = try await client.send(.post, driver + "/inputs", #""increase""#)
    #expect(sent.status == 200 && sent.text.contains(#""version":2"#))
    let keyed: HTTPHeaders = ["Idempotency-Key": "k", "Prefer": "wait=1"]
    for _ in 1...2 {
      #expect(
        try await client.send(.post, driver + "/inputs", #""increase""#, headers: keyed).status
          == 200
      )
    }
    let refused = try await client.send(.post, observer + "/inputs", #""increase""#)
    #expect(try refused.status == 403 && refused.member("type") == "/problems/share-forbids")
    #expect(try await client.send(.get, observer)["ETag"] == "\"3\"")
  }

  @Test func `can be neither deleted nor shared`() async throws {
    let path = try await client.session()
    let driver = try await share(path, #"{"role":"driver"}"#)
    for (method, target) in [
      (HTTPMethod.delete, driver), (.get, driver + "/shares"),
      (.post, driver + "/shares"), (.delete, driver + "/shares/" + id(driver)),
    ] {
      let refused = try await client.send(method, target, #"{"role":"observer"}"#)
      #expect(try refused.status == 403 && refused.member("type") == "/problems/share-forbids")
    }
    #expect(try await client.send(.get, path).status == 200)
  }

  @Test func `is listed and revoked by the session's own id`() async throws {
    let (path, other) = (try await client.session(), try await client.session())
    let time = #""2999-01-01T00:00:00.000Z""#
    let driver = try await share(path, #"{"role":"driver","expires":"2999-01-01T01:00:00+01:00"}"#)
    let observer = try await share(path)
    let list = try await client.send(.get, path + "/shares")
    #expect(list["Cache-Control"] == "no-store")
    #expect(
      list.text == #"{"shares":[{"id":"\#(id(driver))","role":"driver","expires":\#(time)},"#
        + #"{"id":"\#(id(observer))","role":"observer"}]}"#
    )
    let kept = path + "/shares/" + id(observer)
    #expect(try await client.send(.delete, other + "/shares/" + id(observer)).status == 404)
    #expect(try await client.send(.delete, path + "/shares/" + id(path)).status == 404)
    #expect(try await client.send(.get, observer).status == 200)
    #expect(try await client.send(.delete, kept).status == 204)
    #expect(try await client.send(.delete, kept).member("type") == "/problems/unknown-share")
    #expect(try await client.send(.get, path + "/shares").text.contains(id(observer)) == false)
    #expect(try await client.send(.get, driver).status == 200)
    try await expectUnknown(observer)
  }

  /// Expects every request for an ended share to be answered like one for an unknown session.
  private func expectUnknown(_ path: String) async throws {
    let never = "/sessions/AAAAAAAAAAAAAAAAAAAAAB"
    for (method, target) in [
      (HTTPMethod.get, ""), (.delete, ""), (.post, "/inputs"), (.get, "/events"), (.get, "/shares"),
      (.post, "/shares"), (.delete, "/shares/AAAAAAAAAAAAAAAAAAAAAB"),
    ] {
      let refused = try await client.send(method, path + target, #""increase""#)
      let unknown = try await client.send(method, never + target, #""increase""#)
      #expect(refused.status == 404 && refused.parts == unknown.parts)
      #expect(try refused.member("type") == "/problems/unknown-session")
    }
    let followed = try await client.send(.get, "/events?session=\(id(path))")
    #expect(try followed.status == 404 && followed.member("session") == id(path))
  }

  @Test func `that is revoked ends its own streams and long polls, but no others`() async throws {
    let path = try await client.session()
    let (first, second) = (try await share(path), try await share(path))
    let streams = [
      try await client.follow(first + "/events"), try await client.follow(second + "/events"),
      try await client.follow("/events?session=\(id(first))&session=\(id(path))"),
    ]
    for stream in streams { _ = stream.read() }
    let poll = try client.begin(
      .get,
      first,
      headers: ["If-None-Match": "\"1\"", "Prefer": "wait=9"]
    )
    #expect(try await client.send(.delete, path + "/shares/" + id(first)).status == 204)
    let wakes = streams.map(\.wakes)
    #expect(wakes == [1, 0, 1])
    try await client.send(.post, path + "/inputs", #""increase""#)
    #expect(streams[0].read() == "event: end\ndata: {\"reason\":\"deleted\"}\n\n<end>")
    #expect(streams[1].read().contains(#""version":2"#))
    let text = streams[2].read()
    #expect(text.contains(#"{"session":"\#(id(first))","reason":"deleted"}"#))
    #expect(text.contains(#"{"session":"\#(id(path))","version":2"#) && !text.contains("<end>"))
    #expect(try await poll.answer.status == 404)
  }

  @Test func `that is revoked lets its session expire, even in a stream that goes on`() async throws
  {
    let (path, other) = (try await client.session(), try await client.session())
    let shared = try await share(path)
    let reader = try await client.follow("/events?session=\(id(shared))&session=\(id(other))")
    _ = reader.read()
    #expect(try await client.send(.delete, path + "/shares/" + id(shared)).status == 204)
    await client.clock.advance(by: .seconds(3600))
    client.host.expirer.expire()
    #expect(client.host.directory.count == 1)
    #expect(try await client.send(.get, other).status == 200)
    reader.close()
  }

  @Test func `that is revoked leaves the session's Pulses to its other ids in the stream`()
    async throws
  {
    let path = try await client.session()
    let (shared, rest) = (try await share(path), try await share(path))
    let reader = try await client.follow(
      "/events?session=\(id(shared))&session=\(id(path))&session=\(id(rest))"
    )
    _ = reader.read()
    #expect(try await client.send(.delete, path + "/shares/" + id(shared)).status == 204)
    _ = reader.read()
    for input in ["show", "increase"] {
      try await client.send(.post, path + "/inputs", "\"\(input)\"")
    }
    let text = reader.read()
    for id in [id(path), id(rest)] {
      for version in 2...3 {
        let start = #"{"session":"\#(id)","version":\#(version),"#
        #expect(text.split(separator: start, omittingEmptySubsequences: false).count == 2)
      }
    }
    #expect(!text.contains(id(shared)))
  }

  @Test func `has its own idempotency keys`() async throws {
    let path = try await client.session()
    let keyed: HTTPHeaders = ["Idempotency-Key": "k"]
    let holders = [
      path, try await share(path, #"{"role":"driver"}"#),
      try await share(path, #"{"role":"driver"}"#),
    ]
    for (holder, input) in zip(holders, ["increase", "reset", "increase"]) {
      let sent = try await client.send(.post, holder + "/inputs", "\"\(input)\"", headers: keyed)
      #expect(sent.status == 200 && sent["Idempotency-Replayed"] == nil)
      let again = try await client.send(.post, holder + "/inputs", "\"\(input)\"", headers: keyed)
      #expect(again.status == 200 && again["Idempotency-Replayed"] == "true")
    }
  }

  @Test func `that is revoked applies no Inputs of a waiting repetition`() async throws {
    let path = try await client.session("slow")
    let driver = try await share(path, #"{"role":"driver"}"#)
    _ = try client.begin(.post, path + "/inputs", "5")
    var keyed: HTTPHeaders = ["Idempotency-Key": "k"]
    let second = keyed
    keyed["If-Match"] = "\"2\""
    let refused = try client.begin(.post, driver + "/inputs", "1", headers: keyed)
    let waiting = try client.begin(.post, driver + "/inputs", "1", headers: second)
    #expect(try await client.send(.delete, path + "/shares/" + id(driver)).status == 204)
    #expect(!refused.isAnswered && !waiting.isAnswered)
    await client.clock.advance(by: .seconds(5))
    #expect(try await refused.answer.status == 404)
    #expect(try await waiting.answer.status == 404)
    #expect(try await client.send(.post, path + "/inputs", "[]").text.contains(#""state":5"#))
  }

  @Test func `counts as an Input of the client that creates or revokes it`() async throws {
    var options = SessionAPI.Options()
    options.clients.inputsPerSecond = 1
    let client = Client(options: options)
    let path = try await client.session()
    for status in [201, 429] {
      let body = #"{"role":"observer"}"#
      let answer = try await client.send(.post, path + "/shares", body, from: "192.0.2.7")
      #expect(answer.status == status)
    }
    let kept = path + "/shares/" + id(try await share(path, with: client))
    #expect(try await client.send(.delete, kept, from: "192.0.2.7").status == 429)
    await client.clock.advance(by: .seconds(1))
    #expect(try await client.send(.delete, kept, from: "192.0.2.7").status == 204)
  }

  @Test func `expires at its time, and ends its streams`() async throws {
    let path = try await client.session()
    let time = client.host.shares.now + .seconds(30)
    let text = Timestamp(milliseconds: Int(time.milliseconds))?.text ?? ""
    let shared = try await share(path, #"{"role":"driver","expires":"\#(text)"}"#)
    let reader = try await client.follow(shared + "/events")
    _ = reader.read()
    await client.clock.advance(by: .milliseconds(29_999))
    client.api.tick()
    #expect(try await client.send(.get, shared).status == 200 && reader.read() == "")
    await client.clock.advance(by: .milliseconds(1))
    client.api.tick()
    #expect(reader.read() == "event: end\ndata: {\"reason\":\"expired\"}\n\n<end>")
    try await expectUnknown(shared)
    #expect(try await client.send(.get, path + "/shares").text == #"{"shares":[]}"#)
  }

  @Test func `is refused if it would expire at once`() async throws {
    let path = try await client.session()
    let now = try #require(Timestamp(milliseconds: Int(client.host.shares.now.milliseconds))).text
    let body = #"{"role":"observer","expires":"\#(now)"}"#
    #expect(try await client.send(.post, path + "/shares", body).member("member") == "expires")
  }

  @Test func `ends all streams of hundreds of shares`() async throws {
    let time = Int((client.host.shares.now + .seconds(30)).milliseconds)
    let text = try #require(Timestamp(milliseconds: time)).text
    let body = #"{"role":"observer","expires":"\#(text)"}"#
    var readers: [Reader] = []
    for _ in 1...3 {
      let path = try await client.session()
      for _ in 1...StoredShare.limit {
        readers.append(try await client.follow(try await share(path, body) + "/events"))
      }
    }
    for reader in readers { _ = reader.read() }
    await client.clock.advance(by: .seconds(30))
    client.api.tick()
    #expect(readers.allSatisfy { $0.read().hasSuffix("<end>") })
  }

  @Test func `ends with its session`() async throws {
    let path = try await client.session()
    let shared = try await share(path)
    let reader = try await client.follow(shared + "/events")
    _ = reader.read()
    try await client.send(.delete, path)
    #expect(reader.read() == "event: end\ndata: {\"reason\":\"deleted\"}\n\n<end>")
    try await expectUnknown(shared)
    #expect(try await client.send(.post, path + "/shares", #"{"role":"observer"}"#).status == 410)
  }

  @Test(
    arguments: [
      (#"{"role":"owner"}"#, 422, "role"), (#"{}"#, 422, "role"), (#"["observer"]"#, 422, nil),
      (#"{"role":"observer","until":1}"#, 400, "until"), ("{", 400, nil),
      (#"{"role":"observer","expires":"tomorrow"}"#, 422, "expires"),
      (#"{"role":"observer","expires":"1961-01-01T00:00:00Z"}"#, 422, "expires"),
      (#"{"role":"observer","expires":7}"#, 422, "expires"),
    ] as [(String, Int, String?)]
  )
  func `is refused if the body is invalid`(
    body: String,
    status: Int,
    member: String?
  ) async throws {
    let path = try await client.session()
    let refused = try await client.send(.post, path + "/shares", body)
    #expect(try refused.status == status && refused.member("member") == member)
    #expect(try await client.send(.get, path + "/shares").text == #"{"shares":[]}"#)
  }

  @Test func `is refused if its session has a hundred that have not expired`() async throws {
    let path = try await client.session()
    let time = Int((client.host.shares.now + .seconds(30)).milliseconds)
    let text = try #require(Timestamp(milliseconds: time)).text
    _ = try await share(path, #"{"role":"observer","expires":"\#(text)"}"#)
    for _ in 2...StoredShare.limit { _ = try await share(path) }
    let refused = try await client.send(.post, path + "/shares", #"{"role":"observer"}"#)
    #expect(try refused.status == 429 && refused.member("type") == "/problems/too-many-shares")
    await client.clock.advance(by: .seconds(30))
    _ = try await share(path)
  }

  @Test func `survives a restart, and so does its revocation`() async throws {
    let first = Client(store: MemorySessionStore())
    let path = try await first.session()
    let kept = try await share(path, #"{"role":"driver"}"#, with: first)
    let revoked = try await share(path, with: first)
    #expect(try await first.send(.delete, path + "/shares/" + id(revoked)).status == 204)
    let next = try await first.restarted()
    #expect(try await next.send(.get, revoked).status == 404 && next.host.directory.awake == 0)
    let sent = try await next.send(.post, kept + "/inputs", #""increase""#)
    #expect(sent.status == 200 && next.host.directory.awake == 1)
    let woken = try await next.restarted()
    let reader = try await woken.follow(kept + "/events")
    #expect(reader.read().contains(#""version":2"#))
    #expect(try await woken.send(.get, kept).text.contains(id(path)) == false)
  }

  @Test func `is answered 503 while the store does not answer`() async throws {
    let client = Client(store: MemorySessionStore())
    let path = try await client.session()
    let shared = try await share(path, with: client)
    let reader = try await client.follow(shared + "/events")
    _ = reader.read()
    client.lifeline?.cut()
    let pending = try client.begin(.get, shared)
    client.api.tick()
    await client.clock.advance(by: .seconds(10))
    #expect(try await pending.answer.status == 503)
    #expect(reader.read() == "")
  }

  @Test func `shows a Pulse beside its session in one stream`() async throws {
    let path = try await client.session()
    let shared = try await share(path)
    let reader = try await client.follow("/events?session=\(id(path))&session=\(id(shared))")
    _ = reader.read()
    for _ in 1...3 { try await client.send(.post, path + "/inputs", #""decrease""#) }
    let text = reader.read()
    for id in [id(path), id(shared)] {
      #expect(text.contains(#"{"session":"\#(id)","version":4"#))
    }
  }
}

extension Answer {
  /// The members of a problem, without its request's id.
  fileprivate var parts: [Substring] {
    text.split(separator: ",").filter { !$0.contains("requestId") }
  }
}
