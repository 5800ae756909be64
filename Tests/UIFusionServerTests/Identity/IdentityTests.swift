import Foundation
import FusionRawHTTP
import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

@testable import UIFusionServer

/// Over sockets.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `The sender of a request` {
  private let folder = TemporaryFolder()

  private var tokens: String { folder.path + "/tokens" }

  private func write(_ lines: [String]) throws {
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    try lines.joined(separator: "\n").write(toFile: tokens, atomically: true, encoding: .utf8)
  }

  /// Makes a token with the tool.
  private func token(_ flags: String...) throws -> (token: String, line: String) {
    let made = try run(executable.path, ["token"] + flags)
    #expect(made.status == 0)
    let token = made.errors.trimmingCharacters(in: .newlines)
    #expect(token.count == 64 && !made.output.contains(token))
    return (token, made.output.trimmingCharacters(in: .newlines))
  }

  private func fields(_ token: String) -> String { "Authorization: Bearer \(token)\r\n" }

  private let body = #"{"viewModel":"tally"}"#

  @Test func `is identified by a token, without which sessions are refused`() async throws {
    let ada = try token("--id", "ada", "--name", "Ada Lovelace", "--role", "admin")
    try write(["# tokens", "", ada.line])
    let hosted = try HostedRoutes {
      $0.authTokens = tokens
    } _: { routes in
      routes.get("/me") { request in
        guard let me = request.identity else { return "nobody" }
        return "\(me.id) \(me.name ?? "") \(me.roles)"
      }
      routes.get("/mine") { try await $0.sessions.create("tally").id }
      routes.get("/state/{id}") { request in
        try await request.sessions.state(of: request.parameter("id")).version
      }
      routes.get("/any/{id}") { request in
        try await request.sessions.asProgram.state(of: request.parameter("id")).version
      }
    }
    let known = fields(ada.token)
    #expect(try await hosted.ask("POST /sessions", known, body: body)?.status == 201)
    let refused = try #require(try await hosted.ask("POST /sessions", body: body))
    #expect(refused.status == 401 && refused["WWW-Authenticate"] == "Bearer")
    #expect(refused["Content-Type"] == "application/problem+json")
    #expect(refused.text.contains("Send the token that you were given"))
    let wrong = try #require(try await hosted.ask("POST /sessions", fields("x"), body: body))
    #expect(wrong.status == 401 && wrong["WWW-Authenticate"] == #"Bearer error="invalid_token""#)
    // Resources other than sessions are open to everybody, whatever the token.
    for path in ["/healthz", "/readyz", "/metrics", "/page.html", "/openapi.json", "/view-models"] {
      #expect(try await hosted.ask("GET \(path)", fields("x"))?.status == 200, "\(path)")
    }
    #expect(try await hosted.ask("OPTIONS /sessions")?.status == 204)
    #expect(try await hosted.ask("GET /me", known)?.text == #"ada Ada Lovelace ["admin"]"#)
    #expect(try await hosted.ask("GET /me", fields("a token of the route's own"))?.text == "nobody")
    let mine = try #require(try await hosted.ask("GET /mine", known)?.text)
    #expect(try await hosted.ask("GET /state/\(mine)", known)?.text == "1")
    #expect(try await hosted.ask("GET /state/\(mine)")?.status == 401)
    #expect(try await hosted.ask("GET /any/\(mine)")?.text == "1")
    let sessions = hosted.service.sessions
    #expect(try await sessions.state(of: mine).version == 1)
    let bob = sessions.acting(as: Identity(id: "bob"))
    await #expect(throws: HTTPError.self) { try await bob.state(of: mine) }
    await #expect(throws: HTTPError.self) { try await bob.delete(mine) }
    #expect(try await sessions.acting(as: Identity(id: "ada")).state(of: mine).version == 1)
    await hosted.service.stop()
  }

  @Test func `gets no page with a shared session's State without a token`() async throws {
    let ada = try token("--id", "ada")
    try write([ada.line])
    let hosted = try HostedRoutes {
      $0.authTokens = tokens
    } _: { _ in
    }
    let shared = #"{"viewModel":"tally","scope":"shared"}"#
    let created = try await hosted.ask("POST /sessions", fields(ada.token), body: shared)
    let id = try #require(created?["Location"]?.split(separator: "/").last)
    let page = "GET /bound.html?session=\(id)"
    #expect(
      try await hosted.ask(page, fields(ada.token))?.text.contains("uifusion-snapshot") == true
    )
    for fields in ["", fields("revoked")] {
      let shown = try #require(try await hosted.ask(page, fields))
      #expect(shown.status == 200 && !shown.text.contains("uifusion-snapshot"))
    }
    await hosted.service.stop()
  }

  @Test func `has keys of its own in a shared session`() async throws {
    let (ada, bob) = (try token("--id", "ada"), try token("--id", "bob"))
    try write([ada.line, bob.line])
    let hosted = try HostedRoutes {
      $0.authTokens = tokens
    } _: { _ in
    }
    let shared = #"{"viewModel":"tally","scope":"shared"}"#
    let created = try await hosted.ask("POST /sessions", fields(ada.token), body: shared)
    let path = try #require(created?["Location"])
    let key = "Idempotency-Key: one\r\n"
    let input = #"{"add":1}"#
    #expect(
      try await hosted.ask("POST \(path)/inputs", key + fields(ada.token), body: input)?.status
        == 200
    )
    #expect(
      try await hosted.ask("POST \(path)/inputs", key + fields(ada.token), body: input)?.status
        == 200
    )
    let other = try await hosted.ask("POST \(path)/inputs", key + fields(bob.token), body: input)
    #expect(other?.status == 422 && other?.text.contains("reused-idempotency-key") == true)
    await hosted.service.stop()
  }

  @Test func `may be anonymous if that is allowed, and then has sessions without an owner`()
    async throws
  {
    let ada = try token("--id", "ada")
    try write([ada.line])
    let hosted = try HostedRoutes {
      $0.authTokens = tokens
      $0.anonymous = true
    } _: { _ in
    }
    let open = try #require(try await hosted.ask("POST /sessions", body: body)?["Location"])
    let known = try await hosted.ask("POST /sessions", fields(ada.token), body: body)
    let own = try #require(known?["Location"])
    #expect(try await hosted.ask("GET \(open)", fields(ada.token))?.status == 200)
    #expect(try await hosted.ask("GET \(open)")?.status == 200)
    #expect(try await hosted.ask("GET \(own)")?.status == 404)
    #expect(try await hosted.ask("GET \(own)", fields("x"))?.status == 401)
    await hosted.service.stop()
  }

  @Test func `is identified by the tokens in the file that have not expired`() async throws {
    let clock = TestClock()
    let (ada, bob) = (try token("--id", "ada"), try token("--id", "bob", "--days", "1"))
    try write([ada.line, bob.line])
    var configuration = Configuration()
    configuration.port = 0
    configuration.data = .memory
    configuration.logLevel = .error
    configuration.authTokens = tokens
    var catalog = ViewModelCatalog()
    catalog.host("tally", summary: "", parameters: Tally.Parameters.self) { given, _ in Tally(given)
    }
    let now = Mutex(Date.now)
    var dependencies = Dependencies(time: clock, date: { now.withLock { $0 } })
    dependencies.executor = QueueExecutor()
    let service = try Service(catalog, configuration, dependencies: dependencies)
    func status(_ token: String) async throws -> Int? {
      let fields = json + fields(token)
      return try await WaitingClient.ask(service.port, "POST /sessions", fields, body: body)?.status
    }
    #expect(try await status(ada.token) == 201)
    #expect(try await status(bob.token) == 201)
    now.withLock { $0 += 86_401 }
    #expect(try await status(bob.token) == 401)
    /// Lets seconds pass until a token gets a status: the file is read in the background.
    func wait(for token: String, _ wanted: Int) async throws {
      while try await status(token) != wanted { await clock.advance(by: .seconds(1)) }
    }
    // Written in place, with a malformed line.
    try "{\n\(bob.line)\n".write(toFile: tokens, atomically: false, encoding: .utf8)
    try await wait(for: ada.token, 401)
    try write([ada.line])
    try await wait(for: ada.token, 201)
    try write([])
    try await wait(for: ada.token, 401)
    await service.stop()
  }

  @Test func `is identified by the old tokens if the file is missing, which is logged`() throws {
    let ada = try token("--id", "ada")
    try write([ada.line])
    let service = try ServiceProcess("--auth-tokens", tokens)
    try FileManager.default.removeItem(atPath: tokens)
    try service.hangUp(until: "cannot read the tokens")
    let client = try service.connect()
    let counter = #"{"viewModel":"counter-sync"}"#
    client.request("POST /sessions", json + fields(ada.token), body: counter)
    #expect(try client.response()?.status == 201)
    _ = try service.stop()
  }

  @Test func `is logged, but no token is`() throws {
    let ada = try token("--id", "ada")
    let digest = try #require(ada.line.firstMatch(of: /[0-9a-f]{64}/)?.output)
    let bad = [
      "plain-secret-token", "{\"sha256\":\"plain-secret-token\",\"id\":\"x\"}",
      "{\"sha256\":\"\(digest)\",\"id\":\"\"}", "{\"sha256\":\"\(digest)\",\"id\":\"a\\nb\"}",
      "{\"sha256\":\"\(digest)\",\"id\":\"x\",\"plain-secret-token\":1}",
      "{\"sha256\":\"\(digest)\"", "{\"sha256\":\"\(digest)\",\"id\":7}", "\u{FF}", "[]",
      "{\"sha256\":\"\(digest)\",\"id\":\"x\",\"expires\":\"soon\"}",
    ]
    try write([ada.line] + bad)
    let service = try ServiceProcess(
      "--auth-tokens",
      tokens,
      "--log-level",
      "debug",
      "--access-log",
      "on"
    )
    for token in [ada.token, "wrong-secret-token"] {
      let client = try service.connect()
      client.request(
        "POST /sessions",
        "Content-Type: application/json\r\n" + fields(token),
        body: #"{"viewModel":"counter-sync"}"#
      )
      let created = try #require(try client.response())
      guard let path = created["Location"] else { continue }
      client.request(
        "POST \(path)/inputs",
        "Content-Type: application/json\r\n" + fields(token),
        body: #""increase""#
      )
      #expect(try client.response()?.status == 200)
    }
    let log = try service.stop().log
    for secret in [ada.token, String(digest), "secret-token"] { #expect(!log.contains(secret)) }
    for line in 2...(bad.count + 1) { #expect(log.contains("line=\(line) "), "\(line)") }
    #expect(log.contains("tokens=1"))
    let records = log.split(separator: "\n").filter { $0.contains("identity=ada") }
    #expect(records.contains { $0.contains("POST") && $0.contains("status=201") })
    #expect(records.contains { $0.contains("input=increase") })
  }

  @Test func `stays identified while the file of tokens changes under load`() async throws {
    let (ada, bob) = (try token("--id", "ada"), try token("--id", "bob"))
    try write([ada.line])
    let hosted = try HostedRoutes {
      $0.authTokens = tokens
    } _: {
      $0.get("/me") { $0.identity?.id ?? "nobody" }
    }
    let (port, known) = (hosted.service.port, ada.token)
    @Sendable func name(_ token: String) async throws -> String? {
      let client = try WaitingClient(port)
      client.request("GET /me", "Authorization: Bearer \(token)\r\n")
      return try await client.response()?.text
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { () async throws -> Void in
          for _ in 0..<100 {
            #expect(try await name(known) == "ada")
            #expect(try await name("no-token") == "nobody")
          }
        }
      }
      for turn in 0..<100 {
        let junk = [
          "{", "\u{0}", #"{"sha256":"0","id":"bob"}"#, String(repeating: "x", count: turn * 50),
        ]
        try write(turn % 2 == 0 ? junk + [ada.line] : [ada.line, bob.line] + junk)
        hosted.service.reload()
      }
      try await group.waitForAll()
    }
    #expect(try await hosted.ask("GET /me", fields(bob.token))?.text == "bob")
    await hosted.service.stop()
  }

  @Test func `leaves no token, cookie or session id in the log`() throws {
    let ada = try token("--id", "ada")
    try write([ada.line])
    let service = try ServiceProcess(
      "--auth-tokens",
      tokens,
      "--log-level",
      "debug",
      "--access-log",
      "on"
    )
    func ask(_ line: String, _ more: String = "", body: String = "") throws -> RawClient.Response? {
      let client = try service.connect()
      client.request(line, json + fields(ada.token) + more, body: body)
      return try client.response(toHead: line.hasPrefix("HEAD"))
    }
    let created = try ask("POST /sessions", body: #"{"viewModel":"counter-sync"}"#)
    let path = try #require(created?["Location"])
    let shared = try ask("POST \(path)/shares", body: #"{"role":"observer"}"#)?["Location"]
    let ids = [path, try #require(shared)].map { String($0.dropFirst("/sessions/".count)) }
    let odd = "Cookie: __Host-uifusion=cookie-secret\r\nX-Forwarded-User: signed-secret\r\n"
    for id in ids {
      for method in ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "QUERY", "TRACE"] {
        for place in ["?a=\(ada.token)", "/inputs", "/shares", "/shares/\(ids[1])", "/versions"]
        where method != "DELETE" || place.hasPrefix("/") {
          _ = try ask("\(method) /sessions/\(id)\(place)", odd, body: #""increase""#)
        }
      }
      _ = try ask("GET /?session=\(id)", odd)
      _ = try ask("GET /\(id)/\(ada.token)", odd)
      _ = try ask("POST /events?session=\(id)&token=\(ada.token)")
      let broken = try service.connect()
      broken.send("GET /sessions/\(id) HTTP/1.1\r\nAuthorization: Bearer \(ada.token)\r\n\r\n")
      #expect(try broken.response()?.status == 400)
    }
    let log = try service.stop().log
    #expect(log.contains("identity=ada"))
    for secret in [ada.token, "cookie-secret", "signed-secret"] + ids {
      #expect(!log.contains(secret), "\(secret)")
    }
  }

  @Test func `is taken from a header of a trusted proxy only`() async throws {
    func configured(_ proxy: String) throws -> HostedRoutes {
      try HostedRoutes {
        $0.authHeader = "X-Forwarded-User"
        $0.trustedProxies = [proxy]
        $0.allowHosts = ["localhost"]
      } _: { routes in
        routes.get("/me") { $0.identity?.id ?? "nobody" }
      }
    }
    let behind = try configured("127.0.0.1")
    let user = "X-Forwarded-User: ada@example.org\r\n"
    #expect(try await behind.ask("GET /me", user)?.text == "ada@example.org")
    #expect(try await behind.ask("GET /me", "x-forwarded-USER: é\r\n")?.text == "é")
    #expect(
      try await behind.ask("GET /me", user + "X-Forwarded-For: 8.8.8.8\r\n")?.text != "nobody"
    )
    #expect(try await behind.ask("POST /sessions", user, body: body)?.status == 201)
    #expect(try await behind.ask("POST /sessions", body: body)?.status == 401)
    #expect(
      try await behind.ask("POST /sessions", "X-Forwarded-User:\r\n", body: body)?.status == 401
    )
    #expect(try await behind.ask("POST /sessions", user + user, body: body)?.status == 401)
    // Different names in another encoding could be read as this one.
    let replaced = "X-Forwarded-User: M\u{FFFD}ller\r\n"
    #expect(try await behind.ask("POST /sessions", replaced, body: body)?.status == 401)
    await behind.service.stop()
    let beside = try configured("10.0.0.0/8")
    #expect(try await beside.ask("GET /me", user)?.text == "nobody")
    #expect(try await beside.ask("POST /sessions", user, body: body)?.status == 401)
    await beside.service.stop()
    for proxies in [[], ["127.0.0.1"]] {
      #expect(
        throws: ServiceError.self,
        "without a proxy, and if a page with a rebound name could be one"
      ) {
        try HostedRoutes {
          $0.authHeader = "X-Forwarded-User"
          $0.trustedProxies = proxies
        } _: { _ in
        }
      }
    }
  }

  private func create(_ hosted: HostedRoutes, _ key: String) async throws -> Int? {
    let response = try await hosted.ask("POST /sessions", "X-Key: \(key)\r\n", body: body)
    return response?.status
  }

  @Test func `is identified by the program's function`() async throws {
    let hosted = try HostedRoutes { routes in
      routes.authenticate { request -> Identity? in
        switch request.headers["X-Key"] {
        case nil: return nil
        case "broken": throw CancellationError()
        case "locked": throw HTTPError(403, "Your account is locked.")
        case "odd": return Identity(id: "a\nb")
        case "late": return Identity(id: "ada", expires: .distantPast)
        case let key?: return Identity(id: key, claims: ["plan": "free"])
        }
      }
      routes.get("/me") { $0.identity.map { "\($0.id) \($0.claims)" } ?? "nobody" }
      routes.add { try await $1($0) }
    }
    // Neither a preflight nor a probe has credentials.
    #expect(try await hosted.ask("OPTIONS /sessions", "X-Key: locked\r\n")?.status == 204)
    #expect(try await hosted.ask("GET /readyz", "X-Key: broken\r\n")?.status == 200)
    #expect(try await create(hosted, "ada") == 201)
    #expect(try await create(hosted, "broken") == 500)
    #expect(try await create(hosted, "locked") == 403)
    #expect(try await create(hosted, "odd") == 401)
    #expect(try await create(hosted, "late") == 401)
    #expect(try await hosted.ask("POST /sessions", body: body)?.status == 401)
    #expect(try await hosted.ask("GET /me", "X-Key: ada\r\n")?.text == #"ada ["plan": "free"]"#)
    #expect(try await hosted.ask("GET /me")?.text == "nobody")
    #expect(try await hosted.ask("GET /healthz", "X-Key: broken\r\n")?.status == 200)
    await hosted.service.stop()
  }
}
