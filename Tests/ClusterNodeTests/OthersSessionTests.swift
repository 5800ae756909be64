import Foundation
import FusionRawHTTP
import FusionSpawning
import Testing
import UIFusionServer

/// Requests to a session of another identity, at its own node and at another.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `Another identity's session` {
  static let ada = "Authorization: Bearer ada-token\r\n"

  /// Fields of strangers: another identity, none, an expired or unknown token, and headers for nodes only.
  static let strangers = [
    "Authorization: Bearer bob-token\r\n", "", "Authorization: Bearer late-token\r\n",
    "Authorization: Bearer no-token\r\n", "Authorization: Bearer\r\n",
    "Authorization: Basic YWRhOmFkYQ==\r\n", "UIFusion-Node-Arrival: http sender=identity=ada\r\n",
    "UIFusion-Node-Arrival: http sender=program\r\n", "X-User: ada\r\n",
    "Authorization: Bearer ada-token\r\nAuthorization: Bearer bob-token\r\n",
    "Authorization: Bearer ada-token2\r\n", "Authorization: Bearer ada-toke\r\n",
  ]

  /// Each method on each resource of a session, with the ways to ask for it.
  static let requests: [(line: String, fields: String, body: String)] = [
    ("GET /sessions/ID", "", ""), ("HEAD /sessions/ID", "", ""),
    ("GET /sessions/ID", "If-None-Match: \"1\"\r\nPrefer: wait=20\r\n", ""),
    ("GET /sessions/ID", "If-None-Match: *\r\n", ""),
    ("POST /sessions/ID/inputs", "", #"{"add":1}"#),
    ("POST /sessions/ID/inputs", "", #"[{"add":1},{"add":2}]"#),
    ("POST /sessions/ID/inputs", "Idempotency-Key: k\r\n", #"{"add":1}"#),
    ("POST /sessions/ID/inputs", "If-Match: \"9\"\r\n", #"{"add":1}"#),
    ("POST /sessions/ID/inputs", "Prefer: respond-async\r\n", #"{"add":1}"#),
    ("POST /sessions/ID/inputs", "Prefer: wait=20, return=minimal\r\n", #"{"add":1}"#),
    ("POST /sessions/ID/inputs", "", #""nonsense""#),
    ("GET /sessions/ID/events", "", ""), ("GET /sessions/ID/events?format=patch", "", ""),
    ("GET /sessions/ID/events", "Accept: application/x-ndjson\r\nLast-Event-ID: 1\r\n", ""),
    ("HEAD /sessions/ID/events", "", ""), ("GET /events?session=ID", "", ""),
    ("GET /events?session=MINE&session=ID", "", ""), ("HEAD /events?session=ID", "", ""),
    ("DELETE /sessions/ID", "", ""), ("DELETE /sessions/ID", "If-Match: *\r\n", ""),
  ]

  static let never = "AAAAAAAAAAAAAAAAAAAAAA"

  /// Writes the file of tokens: SHA-256 of `ada-token`, `bob-token` and `late-token`.
  static func tokens() throws -> String {
    let path = URL.temporaryDirectory.appending(path: "tokens-\(UUID().uuidString)").path
    let text = """
      {"sha256":"0a8c0cfa6bf5c33ba3b0ff0f9a3a0c8f00000000000000000000000000000000","id":"nobody"}
      \(try line("ada-token", "ada"))
      \(try line("bob-token", "bob"))
      \(try line("host-token", "hostess", #","roles":["host"]"#))
      \(try line("banned-token", "mallory", #","roles":["banned"]"#))
      \(try line("late-token", "ada", #","expires":"2001-01-01T00:00:00Z""#))
      """
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  /// Returns a token's line, computed with `printf %s TOKEN | sha256sum`.
  private static func line(_ token: String, _ id: String, _ more: String = "") throws -> String {
    let output = Pipe()
    _ = try ChildProcess("/bin/sh", ["-c", "printf %s '\(token)' | sha256sum"], output: output)
    let text = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(),
      as: UTF8.self
    )
    return #"{"sha256":"\#(text.prefix(64))","id":"\#(id)"\#(more)}"#
  }

  static func nodes(
    _ test: (_ a: Cluster.Member, _ b: Cluster.Member) async throws -> Void
  ) async throws {
    let path = try tokens()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let cluster = Cluster()
    let configure = { (configuration: inout Configuration) in configuration.authTokens = path }
    let (a, b) = (try await cluster.start("a", configure), try await cluster.start("b", configure))
    do {
      try await test(a, b)
    } catch {
      await cluster.stop()
      throw error
    }
    await cluster.stop()
  }

  static func create(_ port: Int, _ fields: String) async throws -> String {
    let created = try await Client(port).post("/sessions", #"{"viewModel":"tally"}"#, fields)
    return String(try unwrap(created["Location"]).dropFirst("/sessions/".count))
  }

  static func ask(
    _ port: Int,
    _ request: (line: String, fields: String, body: String),
    _ id: String,
    _ mine: String,
    _ fields: String
  ) async throws -> Client.Response {
    let line = request.line.replacing("ID", with: id).replacing("MINE", with: mine)
    let all = "Content-Type: application/json\r\n" + request.fields + fields
    return try await Client(port).send(line, all, body: request.body)
  }

  @Test func `is unknown to a stranger, whatever the stranger tries, on either node`() async throws
  {
    try await Self.nodes { a, b in
      let id = try await Self.create(a.port, Self.ada)
      for stranger in Self.strangers {
        let isBob = stranger == Self.strangers[0]
        let mine = isBob ? try await Self.create(b.port, stranger) : Self.never
        for port in [a.port, b.port] {
          for request in Self.requests {
            let refused = try await Self.ask(port, request, id, mine, stranger)
            let unknown = try await Self.ask(port, request, Self.never, mine, stranger)
            let name = Comment(rawValue: "\(request) \(stranger)")
            #expect(refused.status == (isBob ? 404 : 401), name)
            #expect(unknown.status == refused.status, name)
            #expect(refused["WWW-Authenticate"]?.hasPrefix("Bearer") == (isBob ? nil : true), name)
            #expect(refused["ETag"] == nil, name)
            let problem = isBob ? "unknown-session" : "unauthenticated|invalid-token"
            let isProblem = refused.text.contains(try Regex(problem))
            #expect(isProblem || request.line.hasPrefix("HEAD"), name)
          }
          let page = try await Client(port).get("/?session=\(id)", stranger)
          #expect(page.status == 200 && !page.text.contains(id))
        }
      }
      // The session is unchanged.
      let seen = try await Client(a.port).get("/sessions/\(id)", Self.ada)
      #expect(seen.status == 200 && seen.text.contains(#""version":1,"state":{"sum":0"#))
    }
  }

  @Test func `is fully open to that identity, on either node`() async throws {
    try await Self.nodes { a, b in
      let id = try await Self.create(a.port, Self.ada)
      for port in [b.port, a.port] {
        let client = Client(port)
        #expect(try await client.get("/sessions/\(id)", Self.ada).status == 200)
        #expect(
          try await client.post("/sessions/\(id)/inputs", #"{"add":1}"#, Self.ada).status == 200
        )
        let stream = try await client.stream("/events?session=\(id)", Self.ada)
        #expect(stream.head.status == 200)
        #expect(try await stream.next()?.contains(#""session":"\#(id)""#) == true)
      }
      #expect(try await Client(b.port).send("DELETE /sessions/\(id)", Self.ada).status == 204)
      #expect(try await Client(a.port).get("/sessions/\(id)", Self.ada).status == 410)
    }
  }

  @Test func `is not deleted by a stranger while no node owns it`() async throws {
    try await Self.nodes { a, b in
      let id = try await Self.create(a.port, Self.ada)
      // Now no node owns the session.
      await a.stop()
      for _ in 1...2 {
        let refused = try await Client(b.port).send("DELETE /sessions/\(id)", Self.strangers[0])
        #expect(refused.status == 404)
      }
      #expect(try await Client(b.port).get("/sessions/\(id)", Self.ada).status == 200)
    }
  }

  @Test func `has its name to itself, unless the name's scope is shared`() async throws {
    try await Self.nodes { a, b in
      let bob = Self.strangers[0]
      func name(_ port: Int, _ scope: String, _ fields: String) async throws -> Client.Response {
        let body = #"{"viewModel":"tally","name":"n","scope":"\#(scope)"}"#
        return try await Client(port).post("/sessions", body, fields)
      }
      let ada = try await name(a.port, "own", Self.ada)
      let other = try await name(b.port, "own", bob)
      #expect(ada.status == 201 && other.status == 201)
      #expect(ada["Location"] != other["Location"])
      #expect(try await name(b.port, "own", Self.ada)["Location"] == ada["Location"])
      let shared = try await name(a.port, "shared", Self.ada)
      #expect(shared.status == 201 && shared["Location"] != ada["Location"])
      let found = try await name(b.port, "shared", bob)
      #expect(found.status == 200 && found["Location"] == shared["Location"])
      let path = try unwrap(shared["Location"])
      #expect(try await Client(b.port).post("\(path)/inputs", #"{"add":1}"#, bob).status == 200)
      #expect(try await name(b.port, "shared", "").status == 401)
      #expect(try await name(b.port, "everybody", bob).status == 422)
    }
  }
}
