import FusionHTTPMessages
import FusionSessions
import FusionStoreDoubles
import Testing
import UIFusionTesting

struct `A session with a name` {
  private static let stores = [false, true]

  private func client(_ isStored: Bool) -> Client {
    Client(store: isStored ? MemorySessionStore() : nil)
  }

  private func ask(
    _ client: Client,
    _ name: String,
    of viewModel: String = "counter-sync",
    _ more: String = "",
    headers: HTTPHeaders = [:]
  ) async throws -> Answer {
    let body = #"{"viewModel":"\#(viewModel)","name":"\#(name)"\#(more)}"#
    return try await client.send(.post, "/sessions", body, headers: headers)
  }

  @Test(arguments: stores)
  func `is created by the first request, and found by later ones`(
    isStored: Bool
  ) async throws {
    let client = client(isStored)
    let first = try await ask(client, "team-42")
    #expect(first.status == 201 && first["ETag"] == "\"1\"")
    let path = try #require(first["Location"])
    _ = try await client.send(.post, path + "/inputs", #""increase""#)
    let second = try await ask(client, "team-42")
    #expect(second.status == 200 && second["Location"] == path && second["ETag"] == "\"2\"")
    #expect(try second.text == (await client.send(.get, path)).text)
    #expect(try await ask(client, "team-43")["Location"] != path)
    #expect(try await ask(client, "team-42", of: "counter").status == 201)
    #expect(try await client.session() != path)
  }

  @Test(arguments: stores)
  func `takes parameters only when it is created`(isStored: Bool) async throws {
    let client = client(isStored)
    let wrong = #","parameters":{"jump":1}"#
    let path = try await ask(client, "n", of: "notes", #","parameters":{"owner":"A"}"#)["Location"]
    let found = try await ask(client, "n", of: "notes", wrong)
    #expect(found.status == 200 && found["Location"] == path)
    #expect(try await ask(client, "other", of: "notes", wrong).status == 422)
  }

  @Test(arguments: stores)
  func `is created once by many simultaneous requests`(isStored: Bool) async throws {
    let client = client(isStored)
    let answers = try await withThrowingTaskGroup { group in
      for _ in 0..<50 { group.addTask { try await ask(client, "team-42") } }
      return try await group.reduce(into: [Answer]()) { $0.append($1) }
    }
    #expect(answers.count { $0.status == 201 } == 1)
    #expect(answers.count { $0.status == 200 } == 49)
    #expect(Set(answers.map { $0["Location"] }).count == 1)
    #expect(client.host.directory.count == 1)
  }

  @Test(arguments: stores)
  func `leaves its name to another when it ends`(isStored: Bool) async throws {
    let client = client(isStored)
    let path = try #require(try await ask(client, "a")["Location"])
    #expect(try await client.send(.delete, path).status == 204)
    let next = try await ask(client, "a")
    #expect(next.status == 201 && next["Location"] != path)
  }

  @Test(arguments: stores)
  func `can be followed at once, new or found`(isStored: Bool) async throws {
    let client = client(isStored)
    let accept: HTTPHeaders = ["Accept": "text/event-stream"]
    let first = try await ask(client, "a", headers: accept)
    #expect(first.status == 201)
    let path = try #require(first["Location"])
    _ = try await client.send(.post, path + "/inputs", #""increase""#)
    let second = try await ask(client, "a", headers: accept)
    #expect(second.status == 200 && second["Location"] == path && second["ETag"] == "\"2\"")
    let id = path.dropFirst("/sessions/".count)
    let event = try #require(second.stream).read()
    #expect(event.contains(#"data: {"session":"\#(id)","version":2,"#))
  }

  @Test func `is found after a restart, asleep`() async throws {
    let client = Client(store: MemorySessionStore())
    let path = try await ask(client, "a")["Location"]
    let next = try await client.restarted()
    let found = try await ask(next, "a")
    #expect(found.status == 200 && found["Location"] == path)
  }

  @Test(arguments: ["application/json", "text/event-stream"])
  func `is created again if it ends while it is looked up`(accept: String) async throws {
    let client = Client(store: MemorySessionStore())
    let path = try #require(try await ask(client, "a")["Location"])
    let id = try #require(SessionID(String(path.dropFirst("/sessions/".count))))
    #expect(try await client.send(.delete, path).status == 204)
    client.lifeline?.find(id, times: 3)
    let answer = try await ask(client, "a", headers: ["Accept": accept])
    #expect(answer.status == 201 && answer["Location"] != path)
  }

  @Test func `is not looked up for ever if it ends each time`() async throws {
    let client = Client(store: MemorySessionStore())
    let path = try #require(try await ask(client, "a")["Location"])
    let id = try #require(SessionID(String(path.dropFirst("/sessions/".count))))
    #expect(try await client.send(.delete, path).status == 204)
    client.lifeline?.find(id, times: 100)
    let answer = try await ask(client, "a")
    #expect(answer.status == 503)
    #expect(try answer.member("type") == "/problems/store-unreachable")
  }

  @Test func `is found even if its creation was in doubt`() async throws {
    let client = Client(store: MemorySessionStore())
    client.lifeline?.hold()
    let lost = try client.begin(
      .post,
      "/sessions",
      #"{"viewModel":"counter-sync","name":"a"}"#,
      headers: ["Content-Type": "application/json"]
    )
    await client.clock.advance(by: .seconds(11))
    #expect(try await lost.answer.member("type") == "/problems/store-in-doubt")
    client.lifeline?.release()
    await client.clock.advance(by: .seconds(2))
    let found = try await ask(client, "a")
    #expect(found.status == 200)
    let path = try #require(found["Location"])
    #expect(try await client.send(.post, path + "/inputs", #""increase""#).status == 200)
  }

  @Test(arguments: [
    "é", #"e\u0301"#, #"\u202eabc"#, #"\ud83d\ude00"#, "a/b?c=d&e#f%00", " ", #"\"\\"#, #"\ufeff"#,
    #"\u2028"#, "<script>", String(repeating: "x", count: 255), String(repeating: "é", count: 127),
    "%F0%9F%98%80", "%2e%2e%2f", "../../etc", "👩‍👩‍👧‍👦", "\u{2066}a\u{2069}", "\u{200B}", "\u{FFFD}", "𐀀",
    "'; --", "a%0d%0ab",
    #"\ud83d\udc69\u200d"#, "\u{FFFF}", "\u{10FFFF}", "null",
  ])
  func `may have any characters in it except control characters`(name: String) async throws {
    for isStored in Self.stores {
      let client = client(isStored)
      #expect(try await ask(client, name).status == 201)
      #expect(try await ask(client, name).status == 200)
    }
  }

  @Test(arguments: [
    "", #"\u0000"#, #"a\nb"#, #"\u001f"#, #"\u007f"#, #"\u0085"#, #"\u009f"#,
    String(repeating: "x", count: 256), String(repeating: "é", count: 128),
    String(repeating: "x", count: 1_024), #"\u0007"#, #"a\u0000"#, #"\r\nSet-Cookie: a=b"#,
    #"\u009b31m"#,
  ])
  func `is refused if the name is invalid`(name: String) async throws {
    let client = Client()
    let answer = try await ask(client, name)
    #expect(answer.status == 422)
    #expect(try answer.member("member") == "name")
    #expect(client.host.directory.count == 0)
  }

  @Test(arguments: [#"\ud800"#, #"\udc00\ud800"#, #"a\ud83d"#, "\u{0}", "\n", "\u{1B}"])
  func `is refused as malformed JSON with half a character, or a bare control character`(
    name: String
  ) async throws {
    let client = Client()
    #expect(try await ask(client, name).status == 400)
    #expect(client.host.directory.count == 0)
  }

  @Test func `is unnamed if the name is null`() async throws {
    let client = Client()
    for _ in 0..<2 {
      let body = #"{"viewModel":"counter-sync","name":null}"#
      #expect(try await client.send(.post, "/sessions", body).status == 201)
    }
    let wrong = try await client.send(.post, "/sessions", #"{"viewModel":"counter","name":7}"#)
    #expect(wrong.status == 422)
  }

  @Test func `is found even if the limit of sessions is reached`() async throws {
    var limits = SessionLimits()
    limits.sessions = 1
    let client = Client(limits: limits)
    #expect(try await ask(client, "a").status == 201)
    #expect(try await ask(client, "a").status == 200)
    #expect(try await ask(client, "b").status == 503)
  }
}
