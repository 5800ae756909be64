import FusionRawHTTP
import Testing

/// Each limit at N and at N + 1, over sockets; other clients are not affected.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `The limit` {
  private let json = "Content-Type: application/json\r\n"

  private func create(_ client: RawClient) throws -> RawClient.Response {
    client.request("POST /sessions", json, body: #"{"viewModel":"counter"}"#)
    return try #require(try client.response())
  }

  @Test func `of sessions: one more gets 503, and the others go on`() throws {
    let service = try ServiceProcess("--max-sessions", "2")
    let client = try service.connect()
    let first = try #require(try create(client)["Location"])
    let second = try #require(try create(client)["Location"])
    let third = try create(client)
    #expect(third.status == 503)
    #expect(third["Retry-After"].flatMap { Int($0) } ?? 0 > 0)
    #expect(try client.post(#""increase""#, to: first).contains(#""version":2"#))
    client.request("DELETE \(second)")
    #expect(try client.response()?.status == 204)
    #expect(try create(client).status == 201)
  }

  @Test func `of streams: one more is told to retry later, and the others go on`() throws {
    let service = try ServiceProcess("--max-streams", "2")
    let session = try service.session("counter-sync")
    let streams = try (0..<2).map { _ in try service.connect() }
    for stream in streams { _ = try stream.follow(session) }
    let third = try service.connect()
    third.request("GET \(session)/events")
    let answer = try #require(try third.response())
    #expect(answer.status == 200 && answer["Content-Type"] == "text/event-stream")
    #expect(answer.text == "retry: 30000\n\n")
    _ = try service.connect().post(#""increase""#, to: session)
    for stream in streams { #expect(try stream.events(through: "id: 2\n").count == 1) }
  }

  @Test func `of streams: it leaves some connections to requests`() throws {
    let service = try ServiceProcess("--max-connections", "16")
    let client = try service.connect()
    let session = try #require(try create(client)["Location"])
    let streams = try (0..<14).map { _ in try service.connect() }
    for stream in streams { _ = try stream.follow(session) }
    client.request("GET \(session)/events")
    #expect(try client.response()?.text == "retry: 30000\n\n")
    #expect(try service.connect().post("[]", to: session).contains(#""version":1"#))
    #expect(try service.stop().log.contains(" max-connections=16 max-streams=14 "))
  }

  @Test func `of queued Inputs: one more gets 429, and other sessions go on`() throws {
    let service = try ServiceProcess("--max-queued-inputs", "2")
    let (session, other) = (try service.session("counter"), try service.session("counter"))
    let client = try service.connect()
    let many = "[" + Array(repeating: #""increase""#, count: 40).joined(separator: ",") + "]"
    client.request("POST \(session)/inputs", json + "Prefer: respond-async\r\n", body: many)
    #expect(try client.response()?.status == 202)
    client.request("POST \(session)/inputs", json, body: #""increase""#)
    let refused = try #require(try client.response())
    #expect(refused.status == 429)
    #expect(refused["Retry-After"].flatMap { Int($0) } ?? 0 > 0)
    #expect(try client.post(#""increase""#, to: other).contains(#""version":2"#))
  }

  @Test func `of a batch: one Input more gets 413`() throws {
    let service = try ServiceProcess("--max-batch", "2", "--max-queued-inputs", "1")
    let (session, client) = (try service.session("counter-sync"), try service.connect())
    #expect(try client.post(#"["increase","increase"]"#, to: session).contains(#""version":3"#))
    client.request("POST \(session)/inputs", json, body: #"["increase","increase","increase"]"#)
    #expect(try client.response()?.status == 413)
  }

  @Test func `of a body: one byte more gets 413`() throws {
    let service = try ServiceProcess("--max-body", "30")
    let client = try service.connect()
    let body = #"{"viewModel":"counter"}"# + String(repeating: " ", count: 7)
    client.request("POST /sessions", json, body: body)
    #expect(try client.response()?.status == 201)
    client.request("POST /sessions", json, body: body + " ")
    #expect(try client.response()?.status == 413)
  }

  @Test func `of idle time: an idle session expires, and a followed session goes on`()
    throws
  {
    let service = try ServiceProcess("--session-ttl", "1", "--heartbeat", "1")
    let (idle, other) = (try service.session("counter-sync"), try service.session("counter-sync"))
    let (stream, client) = (try service.connect(), try service.connect())
    _ = try stream.follow(other)
    var sessions = ""
    // The heartbeats serve as a clock; a request to the idle session would keep it.
    for _ in 0..<20 where !sessions.contains("\nuifusion_sessions 1\n") {
      _ = try stream.events(through: ":\n")
      client.request("GET /metrics")
      sessions = try client.response()?.text ?? ""
    }
    client.request("GET \(idle)")
    #expect(try client.response()?.status == 410)
    #expect(try client.post(#""increase""#, to: other).contains(#""version":2"#))
    #expect(try stream.events(through: "id: 2\n").count == 1)
  }

  @Test func `of a stop's wait: requests that end in time are answered, others get 503`()
    throws
  {
    let service = try ServiceProcess("--drain", "2")
    // Each Input but the last takes half a second.
    let clients = try [(2, 200), (20, 503)].map { count, status in
      let session = try service.session("counter")
      let (stream, client) = (try service.connect(), try service.connect())
      _ = try stream.follow(session)
      let batch = Array(repeating: #""increase""#, count: count).joined(separator: ",")
      client.request("POST \(session)/inputs", json, body: "[\(batch)]")
      _ = try stream.events(through: "increasing")
      return (client, status)
    }
    #expect(try service.stop().status == 0)
    for (client, status) in clients { #expect(try client.response()?.status == status) }
  }

  @Test func `of a stop's delay: the service works on, but is not ready`() throws {
    let service = try ServiceProcess("--drain-delay", "6")
    let session = try service.session("counter-sync")
    let client = try service.connect()
    _ = try client.follow(session)
    service.terminate()
    var ready = 200
    for _ in 0..<1_000 where ready == 200 {
      let probe = try service.connect()
      probe.request("GET /readyz")
      ready = try probe.response()?.status ?? 0
    }
    #expect(ready == 503)
    #expect(try create(try service.connect()).status == 201)
    #expect(try service.connect().post(#""increase""#, to: session).contains(#""version":2"#))
    #expect(try client.events(through: "id: 2\n").count == 1)
    #expect(try service.stop().status == 0)
    #expect(throws: RawClient.Silence.self) { try service.connect() }
  }

  @Test func `of connections: one more gets 503, and the others go on`() throws {
    let service = try ServiceProcess("--max-connections", "5")
    let clients = try (0..<5).map { _ in try service.connect() }
    for client in clients {
      client.request("GET /healthz")
      #expect(try client.response()?.status == 200)
    }
    let sixth = try service.connect()
    sixth.request("GET /healthz")
    let answer = try #require(try sixth.response())
    #expect(answer.status == 503 && answer["Connection"] == "close")
    #expect(answer["Retry-After"].flatMap { Int($0) } ?? 0 > 0)
    clients[0].request("GET /healthz")
    #expect(try clients[0].response()?.status == 200)
  }
}
