import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessionAPI
import FusionSessions
import Testing

private let page = "https://app.example"

private func client(
  hosts: AllowedHosts = .any,
  origins: [String] = [page]
) -> Client {
  var options = SessionAPI.Options()
  options.access = AccessPolicy(hosts: hosts, origins: AllowedOrigins(origins))
  return Client(options: options)
}

struct `A page of an allowed origin` {
  private let api = client()

  @Test(arguments: [
    ("/sessions", "POST", "POST, OPTIONS"),
    ("/sessions/AAAAAAAAAAAAAAAAAAAAAA", "DELETE", "GET, HEAD, DELETE, OPTIONS"),
    ("/sessions/AAAAAAAAAAAAAAAAAAAAAA/inputs", "POST", "POST, OPTIONS"),
    ("/view-models", "GET", "GET, HEAD, OPTIONS"),
  ])
  func `is told by a preflight what it may do`(path: String, method: String, methods: String)
    async throws
  {
    let answer = try await api.send(
      .options,
      path,
      headers: [
        "Origin": page, "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": "content-type,prefer",
      ]
    )
    #expect(answer.status == 204)
    #expect(answer["Access-Control-Allow-Origin"] == page)
    #expect(answer["Access-Control-Allow-Methods"] == methods)
    #expect(answer["Allow"] == methods)
    let accepted = try #require(answer["Access-Control-Allow-Headers"]).split(separator: ", ")
    for name in [
      "Content-Type", "Prefer", "If-Match", "If-None-Match", "Idempotency-Key", "Last-Event-ID",
      "X-Request-Id", "traceparent",
    ] {
      #expect(accepted.contains { $0 == name })
    }
    #expect(Int(answer["Access-Control-Max-Age"] ?? "") ?? 0 >= 600)
    #expect(answer["Vary"]?.contains("Origin") == true)
  }

  @Test func `may send Authorization and If-Sender, and read Sender, if senders are authenticated`()
    async throws
  {
    var options = SessionAPI.Options()
    options.access = AccessPolicy(origins: AllowedOrigins([page]))
    options.authenticate = { _, _, done in done(.success(RequestSender("ada"))) }
    let api = Client(options: options)
    let asked: HTTPHeaders = ["Origin": page, "Access-Control-Request-Method": "POST"]
    let answer = try await api.send(.options, "/sessions", headers: asked)
    let accepted = answer["Access-Control-Allow-Headers"]?.split(separator: ", ") ?? []
    #expect(accepted.suffix(2) == ["Authorization", "If-Sender"])
    let told = answer["Access-Control-Expose-Headers"]?.split(separator: ", ") ?? []
    #expect(told.last == "Sender")
  }

  @Test(arguments: [(HTTPMethod.post, "/sessions"), (.get, "/view-models"), (.get, "/nothing")])
  func `may read answers, problems included`(method: HTTPMethod, path: String) async throws {
    let body = method == .post ? #"{"viewModel":"counter"}"# : nil
    let answer = try await api.send(method, path, body, headers: ["Origin": page])
    #expect(answer["Access-Control-Allow-Origin"] == page)
    #expect(answer["Vary"]?.contains("Origin") == true)
    #expect(answer["Cross-Origin-Resource-Policy"] == "cross-origin")
    #expect(
      answer["Access-Control-Expose-Headers"]
        == "ETag, Location, Preference-Applied, Idempotency-Replayed, Retry-After, "
        + "Settled, X-Request-Id"
    )
    // No cookies are used: what a page may do follows from the ids that it holds.
    #expect(answer["Access-Control-Allow-Credentials"] == nil)
  }

  @Test func `is told apart by caches, also from requests without an origin`()
    async throws
  {
    for headers: HTTPHeaders in [["Origin": page], ["Origin": "https://other.example"], [:]] {
      let answer = try await api.send(.get, "/view-models", headers: headers)
      #expect(answer["Vary"]?.contains("Origin") == true)
    }
  }

  @Test func `may read streams`() async throws {
    let session = try await api.session()
    let answer = try await api.send(.get, session + "/events", headers: ["Origin": page])
    #expect(answer["Access-Control-Allow-Origin"] == page)
  }
}

struct `A page of another origin` {
  private let api = client()

  @Test(arguments: [
    "https://evil.example", "http://app.example", "https://app.example:444",
    "https://app.example.evil", "https://APP.example", "null", "",
  ])
  func `gets no header that lets it in`(origin: String) async throws {
    let headers: HTTPHeaders = ["Origin": origin, "Access-Control-Request-Method": "POST"]
    for method in [HTTPMethod.options, .get] {
      let answer = try await api.send(method, "/view-models", headers: headers)
      #expect(answer.response.headers.fields.allSatisfy { !$0.name.hasPrefix("Access-Control") })
      #expect(answer["Cross-Origin-Resource-Policy"] == nil)
      // The answer differs from one origin to another.
      #expect(answer["Vary"]?.contains("Origin") == true)
    }
  }

  @Test(arguments: [
    "https://evil.example", "http://localhost:81", "http://localhost.evil", "null", "",
    "ftp://localhost", "localhost", "http://",
  ])
  func `can change nothing`(origin: String) async throws {
    let session = try await api.session()
    let headers: HTTPHeaders = ["Origin": origin, "Host": "localhost:80"]
    for (method, path, body) in [
      (HTTPMethod.post, "/sessions", #"{"viewModel":"counter"}"#),
      (.post, session + "/inputs", #""increase""#), (.delete, session, nil),
    ] {
      let answer = try await api.send(method, path, body, headers: headers)
      #expect(answer.status == 403)
      #expect(try answer.member("type") == "/problems/foreign-origin")
    }
    #expect(api.host.directory.count == 1)
    #expect(try await api.send(.get, session)["ETag"] == "\"1\"")
  }

  @Test func `is not told about origins if none is allowed`() async throws {
    let answer = try await client(origins: []).send(.get, "/view-models", headers: ["Origin": page])
    #expect(answer.status == 200)
    #expect(answer["Access-Control-Allow-Origin"] == nil && answer["Vary"] == "Accept")
  }
}

struct `The service's own page` {
  @Test(arguments: [
    ("http://localhost:8080", "localhost:8080"), ("http://LOCALHOST:8080", "localhost:8080"),
    ("https://example.org", "example.org"), ("https://example.org", "example.org:443"),
    ("http://example.org:80", "example.org"), ("http://[::1]:8080", "[::1]:8080"),
    (page, "elsewhere"),
  ])
  func `can create a session, like one of an allowed origin`(origin: String, host: String)
    async throws
  {
    let answer = try await client().send(
      .post,
      "/sessions",
      #"{"viewModel":"counter"}"#,
      headers: ["Origin": origin, "Host": host]
    )
    #expect(answer.status == 201)
  }

  @Test(arguments: ["same-origin", "same-site", "cross-site", "none", nil] as [String?])
  func `may hide its origin, and no other page may`(site: String?) async throws {
    let answer = try await client().send(
      .post,
      "/sessions",
      #"{"viewModel":"counter"}"#,
      headers: ["Origin": "null", "Host": "localhost:8080", "Sec-Fetch-Site": site ?? ""]
    )
    #expect(answer.status == (site == "same-origin" ? 201 : 403))
    guard site != "same-origin" else { return }
    #expect(try answer.member("origin") == "null" && answer.member("host") == "localhost:8080")
  }

  @Test func `need not send an Origin, like a script`() async throws {
    _ = try await client().session()
  }
}

struct `The Host` {
  private func status(_ hosts: AllowedHosts, _ host: String?, _ path: String = "/view-models")
    async throws -> Int
  {
    let headers: HTTPHeaders = host.map { ["Host": $0] } ?? [:]
    return try await client(hosts: hosts).send(.get, path, headers: headers).status
  }

  @Test(arguments: [
    "localhost", "LocalHost:8080", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:8080", "127.0.0.9",
  ])
  func `of a loopback address is answered`(host: String) async throws {
    #expect(try await status(.loopback(and: "127.0.0.9"), host) == 200)
    #expect(try await status(.any, host) == 200)
  }

  @Test(arguments: [
    "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "notlocalhost",
    "127.0.0.2", "[::2]", "localhos",
  ])
  func `of another name is misdirected`(host: String) async throws {
    for path in ["/view-models", "/", "/sessions", "/nothing"] {
      #expect(try await status(.loopback(and: nil), host, path) == 421)
    }
    let answer = try await client(hosts: .loopback(and: nil))
      .send(.post, "/sessions", #"{"viewModel":"counter"}"#, headers: ["Host": host])
    #expect(answer.status == 421)
    #expect(try answer.member("type") == "/problems/misdirected-request")
  }

  @Test(arguments: [
    ("/healthz", "evil.example", 200), ("/readyz", "evil.example", 200),
    ("/metrics", "10.0.0.7:8080", 200), ("/metrics", "[fd00::7]", 200),
    ("/metrics", "evil.example", 421), ("/metrics", "10.0.0.7.evil.example", 421),
    ("/healthz/x", "evil.example", 421),
  ])
  func `of a probe need not be listed`(path: String, host: String, status: Int) async throws {
    #expect(try await self.status(.loopback(and: nil), host, path) == status)
  }

  @Test func `is answered as it is listed, on the given port or else on any`() async throws {
    let hosts = AllowedHosts(["a.example", "b.example:81"])
    #expect(try await status(hosts, "a.example") == 200)
    #expect(try await status(hosts, "a.example:9") == 200)
    #expect(try await status(hosts, "B.example:81") == 200)
    #expect(try await status(hosts, "b.example") == 421)
    #expect(try await status(hosts, "b.example:811") == 421)
    #expect(try await status(hosts, "localhost") == 421)
  }

  @Test func `may be missing over HTTP/1.0, which no browser speaks`() async throws {
    #expect(try await status(AllowedHosts(["a.example"]), nil) == 200)
  }
}
