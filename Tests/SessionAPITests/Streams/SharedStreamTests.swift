import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import Testing
import UIFusionTesting

struct `A stream of several sessions` {
  private let client = Client()

  private func session(_ viewModel: String = "counter-sync") async throws -> String {
    String(try await client.session(viewModel).dropFirst("/sessions/".count))
  }

  private func send(_ input: String, to id: String) async throws {
    _ = try await client.send(.post, "/sessions/\(id)/inputs", input)
  }

  private func target(_ ids: String...) -> String {
    "/events?" + ids.map { "session=\($0)" }.joined(separator: "&")
  }

  private func data(_ id: String, _ version: Int, _ value: Int) -> String {
    #"data: {"session":"\#(id)","version":\#(version),"state":{"value":\#(value),"isReset":false,"#
      + #""showAlert":{"value":null,"pulse":0}}}"#
  }

  private func lines(_ text: String, _ name: String) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix(name + ": ") }.map(String.init)
  }

  private func lastID(_ text: String) throws -> String {
    String(try #require(lines(text, "id").last).dropFirst(4))
  }

  @Test func `sends the State of each session with its id`() async throws {
    let (a, b) = (try await session(), try await session())
    let reader = try await client.follow(target(a, b))
    #expect(lines(reader.read(), "data") == [data(a, 1, 0), data(b, 1, 0)])
    try await send(#""increase""#, to: b)
    let text = reader.read()
    #expect(lines(text, "data") == [data(b, 2, 1)])
    #expect(lines(text, "event") == ["event: state"])
  }

  @Test func `has one event id for all sessions, by which it resumes`() async throws {
    let (a, b) = (try await session(), try await session())
    let reader = try await client.follow(target(a, b))
    let first = try lastID(reader.read())
    try await send(#""increase""#, to: a)
    let id = try lastID(reader.read())
    #expect(id != first && id.utf8.count < 20 && id.utf8.allSatisfy { $0 > 32 && $0 < 127 })
    try await send(#""increase""#, to: b)
    let byHeader = try await client.follow(target(a, b), headers: ["Last-Event-ID": id])
    let byQuery = try await client.follow(target(a, b) + "&after=" + id)
    let byBoth = try await client.follow(
      target(a, b) + "&after=" + id,
      headers: ["Last-Event-ID": first]
    )
    #expect(lines(byHeader.read(), "data") == [data(b, 2, 1)])
    #expect(lines(byQuery.read(), "data") == [data(b, 2, 1)])
    #expect(lines(byBoth.read(), "data") == [data(a, 2, 1), data(b, 2, 1)])
  }

  @Test func `resumes with another set of sessions, too`() async throws {
    let (a, b, c) = (try await session(), try await session(), try await session())
    let id = try lastID(try await client.follow(target(a, b)).read())
    let reader = try await client.follow(target(c, b) + "&after=" + id)
    let text = reader.read()
    #expect(lines(text, "data") == [data(c, 1, 0)])
    let back = try await client.follow(target(a, b, c) + "&after=" + (try lastID(text)))
    #expect(lines(back.read(), "data") == [data(a, 1, 0)])
  }

  @Test(arguments: ["x", "1", ".", "AAAAAA1.AAAAAA1", "%F0%9F%98%80", ""])
  func `ignores a malformed event id`(after: String) async throws {
    let a = try await session()
    let reader = try await client.follow(target(a) + "&after=" + after)
    #expect(lines(reader.read(), "data") == [data(a, 1, 0)])
  }

  @Test func `names in an event id only the States that were sent`() async throws {
    let (a, b) = (try await session(), try await session())
    let reader = try await client.follow(target(a, b))
    let text = reader.read()
    let first = try #require(lines(text, "id").first).dropFirst(4)
    let resumed = try await client.follow(target(a, b) + "&after=" + first)
    #expect(lines(resumed.read(), "data") == [data(b, 1, 0)])
  }

  @Test func `names the session that ended, and goes on`() async throws {
    let (a, b) = (try await session(), try await session())
    let reader = try await client.follow(target(a, b))
    _ = reader.read()
    try await send(#""increase""#, to: a)
    _ = try await client.send(.delete, "/sessions/\(a)")
    #expect(
      lines(reader.read(), "data")
        == [data(a, 2, 1), #"data: {"session":"\#(a)","reason":"deleted"}"#]
    )
    try await send(#""increase""#, to: b)
    #expect(lines(reader.read(), "data") == [data(b, 2, 1)])
    _ = try await client.send(.delete, "/sessions/\(b)")
    #expect(
      reader.read() == "event: end\ndata: {\"session\":\"\(b)\",\"reason\":\"deleted\"}\n\n<end>"
    )
    let gone = try await client.send(.get, target(a, b))
    #expect(gone.status == 410)
    #expect(try gone.member("type") == "/problems/ended-session")
  }

  @Test func `tells at its start which sessions have ended, and why`() async throws {
    let (a, b) = (try await session(), try await session())
    await client.clock.advance(by: .seconds(3600))
    client.host.expirer.expire()
    let c = try await session()
    _ = try await client.send(.delete, "/sessions/\(b)")
    let d = try await session()
    _ = try await client.send(.delete, "/sessions/\(d)")
    let reader = try await client.follow(target(a, c, d))
    #expect(
      reader.read().hasPrefix(
        "retry: 1000\nevent: end\ndata: {\"session\":\"\(a)\",\"reason\":\"expired\"}\n\n"
          + "event: end\ndata: {\"session\":\"\(d)\",\"reason\":\"deleted\"}\n\nid: "
      )
    )
  }

  @Test func `is refused with the id of an unknown session`() async throws {
    let a = try await session()
    for id in ["AAAAAAAAAAAAAAAAAAAAAA", "nope"] {
      let answer = try await client.send(.get, target(a, id))
      #expect(answer.status == 404)
      #expect(try answer.member("session") == id)
    }
  }

  @Test func `takes up to sixty-four sessions, each of them once`() async throws {
    var ids: [String] = []
    for _ in 0..<65 { ids.append(try await session()) }
    let all = "/events?" + ids.prefix(64).map { "session=\($0)" }.joined(separator: "&")
    let reader = try await client.follow(all + "&session=\(ids[0])")
    let text = reader.read()
    #expect(lines(text, "data").count == 64)
    #expect(try lastID(text).utf8.count <= 64 * 8)
    let resumed = try await client.follow(all + "&after=" + (try lastID(text)))
    #expect(resumed.read() == "retry: 1000\n")
    #expect(try await client.send(.get, all + "&session=\(ids[64])").status == 400)
    #expect(try await client.send(.get, "/events").status == 400)
    #expect(try await client.send(.post, all).status == 405)
    let head = try await client.send(.head, all)
    #expect(head.status == 200 && head.response.body.count == nil)
    #expect(head["Content-Type"] == "text/event-stream")
  }

  @Test func `keeps all its sessions from expiring`() async throws {
    let (a, b) = (try await session(), try await session())
    let reader = try await client.follow(target(a, b))
    await client.clock.advance(by: .seconds(3600))
    client.host.expirer.expire()
    #expect(client.host.directory.count == 2)
    reader.close()
    await client.clock.advance(by: .seconds(1800))
    client.host.expirer.expire()
    #expect(client.host.directory.count == 0)
  }

  @Test func `counts as one stream, and has one heartbeat`() async throws {
    var options = SessionAPI.Options()
    options.streams = 1
    let client = Client(options: options)
    let ids = [try await client.session(), try await client.session()]
      .map { String($0.dropFirst("/sessions/".count)) }
    let target = target(ids[0], ids[1])
    let reader = try await client.follow(target)
    _ = reader.read()
    #expect(client.api.openStreams == 1)
    for _ in 0...SessionAPI.ticksPerHeartbeat { client.api.tick() }
    #expect(reader.read() == ":\n")
    #expect(try await client.send(.get, target).text == "retry: 30000\n\n")
  }

  @Test
  func `skips to the newest snapshot of each session, except for those in which a Pulse changed`()
    async throws
  {
    let (a, b) = (try await session(), try await session())
    let reader = try await client.follow(target(a, b))
    _ = reader.read()
    for (id, input) in [(a, "increase"), (b, "show"), (a, "increase"), (b, "increase")] {
      try await send("\"\(input)\"", to: id)
    }
    let starts: [String] = [(a, 3), (b, 2), (b, 3)].map { (id: String, version: Int) in
      String(#"data: {"session":"\#(id)","version":\#(version),"state":{"va"#.prefix(54))
    }
    #expect(lines(reader.read(), "data").map { String($0.prefix(54)) } == starts)
  }

  @Test func `sends patches to the last State that it sent of each session`() async throws {
    let (a, b) = (try await session("notes"), try await session("notes"))
    for id in [a, b] { try await send(#"{"add":"a note that is long enough to be kept"}"#, to: id) }
    let reader = try await client.follow(target(a, b) + "&format=patch")
    #expect(lines(reader.read(), "event") == ["event: state", "event: state"])
    try await send(#"{"add":"tea"}"#, to: b)
    let text = reader.read()
    #expect(lines(text, "event") == ["event: patch"])
    #expect(
      lines(text, "data") == [
        #"data: {"session":"\#(b)","from":2,"version":3,"#
          + #""patch":[{"op":"add","path":"/notes/1","value":"tea"}]}"#
      ]
    )
  }
}
