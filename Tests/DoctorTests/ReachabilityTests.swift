import Testing

@testable import FusionDoctor

struct `The reachability check` {
  private func judge(
    _ alive: CurlAnswer,
    _ ready: CurlAnswer? = nil,
    _ proxy: ProxyKind = .unknown,
    at text: String = "https://example.org/app"
  ) throws -> [Finding] {
    ReachabilityCheck.judge(
      alive,
      ready,
      try url(text),
      "curl https://example.org/app/healthz"
    )
    .map { $0.resolved(for: proxy) }
  }

  @Test func `passes a service that is alive and ready`() throws {
    #expect(try judge(answer(), answer()).isGreen)
  }

  @Test func `reports a service that is not ready`() throws {
    let fault = try #require(try judge(answer(), problem(503, "draining")).fault)
    #expect(fault.level == .failure)
    #expect(fault.text == "healthz answers 200, readyz 503 (No)")
    #expect(fault.command == "curl https://example.org/app/readyz")
  }

  @Test(arguments: [
    (6, "DNS"), (7, "nobody listens"), (28, "in time"), (35, "TLS"), (52, "scheme"), (99, "99"),
  ])
  func `explains curl's exit code if nothing answers`(exit: CInt, word: String) throws {
    let fault = try #require(try judge(answer(exit: exit, error: "no")).fault)
    #expect(fault.text == "no answer: no")
    #expect(fault.advises(word))
  }

  @Test func `reports a prefix that the proxy does not strip`() throws {
    let fault = try #require(try judge(problem(404, "unknown-path"), nil, .nginx).fault)
    #expect(fault.level == .failure)
    #expect(fault.text.contains("prefix not stripped"))
    #expect(fault.advises("--base-path /app"))
    #expect(fault.adviceLines.last == "nginx: location /app/ { proxy_pass http://127.0.0.1:8080; }")
  }

  @Test func `reports that something else answers`() throws {
    for other in [answer(404, ["Server: nginx"]), answer(200, ["Content-Type: text/html"])] {
      let fault = try #require(try judge(other).fault)
      #expect(fault.text.contains("something else"))
    }
    let fault = try #require(try judge(answer(404, []), at: "https://example.org").fault)
    #expect(fault.advises("below a path"))
  }

  @Test func `reports a proxy that does not reach the service`() throws {
    let fault = try #require(try judge(answer(502, [])).fault)
    #expect(fault.text.contains("502 of the proxy"))
    #expect(fault.advises("error log") && fault.advises("--socket"))
  }

  @Test(arguments: [
    ("/app/problems/unknown-path", true), ("/problems/unknown-path", false),
    ("/apps/problems/unknown-path", false),
  ])
  func `tells by a problem's type whether the base path is right`(type: String, isBasePath: Bool)
    throws
  {
    let found = answer(
      404,
      ["X-Request-Id: 1", "Content-Type: application/problem+json"],
      #"{"type":"\#(type)","title":"No","status":404}"#
    )
    let fault = try #require(try judge(found, nil, .nginx).fault)
    #expect(
      fault.text.hasPrefix("the base path /app is right, but the proxy sends another path")
        == isBasePath
    )
    #expect(fault.advises("both end in a slash") == isBasePath)
    #expect(fault.advises("--base-path /app") != isBasePath)
  }

  @Test func `reports a URL that is a page's`() throws {
    for other in [problem(404, "unknown-path"), answer(200, ["Content-Type: text/html"])] {
      let fault = try #require(try judge(other, at: "https://example.org/app/index.html").fault)
      #expect(fault.text == "index.html is a page, not the address of the service")
      #expect(fault.advises("without the page: https://example.org/app"))
    }
  }

  @Test func `reports plain HTTP on a TLS port`() throws {
    for other in [answer(400, ["Server: nginx"]), answer(exit: 52)] {
      let fault = try #require(
        ReachabilityCheck.judge(
          other,
          nil,
          try url("http://example.org:8443/app"),
          "curl",
          secureAddress: "https://example.org:8443/app"
        ).fault
      )
      #expect(fault.level == .failure && fault.text == "this port speaks TLS")
      #expect(
        fault.resolved(for: .nginx).adviceLines == ["use https://: https://example.org:8443/app"]
      )
    }
  }
}

struct `The advice of the doctor` {
  private static let servers: [(String?, ProxyKind)] = [
    ("nginx/1.22.1", .nginx), ("openresty", .nginx), ("Apache/2.4.71 (Debian)", .apache),
    ("uifusion", .unknown), (nil, .unknown),
  ]

  @Test(arguments: servers)
  func `is for the proxy that the Server header names`(server: String?, proxy: ProxyKind) {
    #expect(ProxyKind(server: server) == proxy)
  }

  @Test func `is for every proxy if the proxy is unknown`() {
    let lines = Advice.delay.lines(for: .unknown)
    for name in ["nginx: ", "haproxy: option http-no-delay", "Apache: "] {
      #expect(lines.contains { $0.hasPrefix(name) })
    }
    #expect(Advice.buffering.lines(for: .apache).map { $0.prefix(8) } == ["Apache: "])
  }
}
