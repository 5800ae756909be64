import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessionAPI
import FusionSessions
import Testing

private let proxy = "10.0.0.1"

/// A service behind two proxies, 10.0.0.1 and 10.0.0.2.
private func client(hosts: AllowedHosts = .any) throws -> Client {
  var options = SessionAPI.Options()
  options.access = AccessPolicy(hosts: hosts)
  options.access.proxies = TrustedProxies([try #require(IPNetwork("10.0.0.0/30"))])
  return Client(options: options)
}

struct `A trusted proxy` {
  /// Returns a request's client, scheme and host as the service sees them, and whether headers were believed.
  private func seen(from address: String = proxy, _ headers: HTTPHeaders) async throws -> [String] {
    var headers = headers
    if headers["Host"] == nil { headers.append("Host", "backend:8080") }
    let answer = try await client().send(.get, "/connection", headers: headers, from: address)
    return try ["client", "scheme", "host", "forwarded"].map {
      try answer.member($0) ?? "-"
    }
  }

  @Test func `tells the client, the scheme and the host`() async throws {
    let told = try await seen([
      "X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https",
      "X-Forwarded-Host": "app.example:8443",
    ])
    #expect(told == ["192.0.2.7", "https", "app.example:8443", "believed"])
    let forwarded = try await seen([
      "Forwarded": #"For="[2001:db8::7]:4711" ; proto=HTTPS;host="app.example:8443";by=_me"#
    ])
    #expect(forwarded == ["2001:db8::7", "https", "app.example:8443", "believed"])
  }

  @Test func `tells the client of a rejected request`() throws {
    let records = Records()
    var options = SessionAPI.Options()
    options.log = { records.add($0) }
    options.access.proxies = TrustedProxies([try #require(IPNetwork("10.0.0.0/30"))])
    var connection = ConnectionInfo()
    connection.client = IPAddress(proxy)
    let headers: HTTPHeaders = ["X-Forwarded-For": "192.0.2.7"]
    let rejected = RejectedRequest(
      .contentTooLarge.limited(to: 1),
      id: .new(),
      method: .post,
      headers: headers,
      connection: connection
    )
    _ = Client(options: options).api.answer(to: rejected)
    #expect(records.all.map(\.client) == [IPAddress("192.0.2.7")])
  }

  @Test func `may tell the scheme only`() async throws {
    #expect(
      try await seen(["X-Forwarded-Proto": "https"]) == [
        "-", "https", "backend:8080", "believed",
      ]
    )
    #expect(try await seen([:]) == ["-", "http", "backend:8080", "none"])
  }

  @Test(arguments: [
    ("app.example", "8443", "https", "app.example:8443"),
    ("app.example", "443", "https", "app.example"),
    ("app.example", "80", "http", "app.example"),
    ("app.example:9", "8443", "https", "app.example:9"),
    ("[::1]", "8443", "https", "[::1]:8443"),
    ("app.example", "+444", "https", "app.example"), ("app.example", "0", "https", "app.example"),
    ("app.example", "x", "https", "app.example"),
  ])
  func `may tell the port in a header of its own`(
    host: String,
    port: String,
    scheme: String,
    whole: String
  )
    async throws
  {
    let told = try await seen([
      "X-Forwarded-Host": host, "X-Forwarded-Port": port, "X-Forwarded-Proto": scheme,
    ])
    #expect(told[2] == whole)
  }

  @Test func `vouches for a trusted proxy before it, and for no other`() async throws {
    let told = try await seen(["X-Forwarded-For": "6.6.6.6, 192.0.2.7, 10.0.0.2"])
    #expect(told[0] == "192.0.2.7")
    let chain = try await seen([
      "Forwarded":
        "for=6.6.6.6;host=evil.example, for=192.0.2.7;host=app.example;proto=https, for=10.0.0.2;host=b"
    ])
    #expect(chain == ["192.0.2.7", "https", "app.example", "believed"])
    #expect(try await seen(["X-Forwarded-For": "10.0.0.2, 10.0.0.1"])[0] == "10.0.0.2")
    // A client that hides is not replaced by the address before it.
    #expect(try await seen(["Forwarded": "for=6.6.6.6, for=unknown"])[0] == "-")
    #expect(try await seen(["X-Forwarded-For": "6.6.6.6, -"])[0] == "-")
  }

  @Test func `appends to the headers that a client has sent`() async throws {
    let told = try await seen([
      "X-Forwarded-Host": "evil.example, app.example", "X-Forwarded-Proto": "ftp, https",
      "X-Forwarded-For": "6.6.6.6,192.0.2.7:4711",
    ])
    #expect(told == ["192.0.2.7", "https", "app.example", "believed"])
  }

  @Test(arguments: [
    "Forwarded: for", "Forwarded: for=1.2.3.4;for=5.6.7.8", "Forwarded: ,",
    "Forwarded: for=1.2.3.4 x",
    "X-Forwarded-Host: a b", "X-Forwarded-Host: <script>", "X-Forwarded-Proto: javascript",
    "X-Forwarded-Host: a:b", "X-Forwarded-Host: [::1", "X-Forwarded-Host: a:123456",
  ])
  func `is not believed if its header is malformed`(line: String) async throws {
    let told = try await seen(headers([line]))
    #expect(told[1...2] == ["http", "backend:8080"])
  }

  @Test(arguments: [
    "x", ",", #"for="1.2.3.4"#, #"for=6.6.6.6;host=",", "#, "for=6.6.6.6, for=;;;", "\\\"",
  ])
  func `is believed whatever a client has sent before it`(text: String) async throws {
    let own = "Forwarded: for=192.0.2.7;proto=https;host=app.example"
    for lines in [["Forwarded: " + text, own], ["Forwarded: \(text),\(own.dropFirst(11))"]] {
      #expect(try await seen(headers(lines)) == ["192.0.2.7", "https", "app.example", "believed"])
    }
    let told = try await seen(["X-Forwarded-For": text + ", 192.0.2.7"])
    #expect(told[0] == "192.0.2.7")
  }

  @Test(arguments: [
    "for=192.0.2.7;;proto=https", "for=192.0.2.7;proto=https;", "for=192.0.2.7;proto=https,",
    " , for = 192.0.2.7", ";for=192.0.2.7 ; proto=https",
  ])
  func `may leave elements of a list empty`(text: String) async throws {
    let told = try await seen(["Forwarded": text])
    // No white space is allowed around the sign (RFC 7239 §4).
    #expect(told[0] == (text.contains("= ") ? "-" : "192.0.2.7"))
  }

  @Test func `is believed only in the headers that the service expects`() async throws {
    let both: HTTPHeaders = [
      "Host": "backend", "X-Forwarded-For": "192.0.2.7", "Forwarded": "for=192.0.2.8",
    ]
    let mixed: [(ForwardedHeaders, HTTPHeaders, String?)] = [
      (.any, both, "192.0.2.7"), (.xForwarded, both, "192.0.2.7"), (.forwarded, both, "192.0.2.8"),
      (.any, ["Host": "backend", "Forwarded": "for=192.0.2.8"], "192.0.2.8"),
      (.xForwarded, ["Host": "backend", "Forwarded": "for=192.0.2.8"], nil),
      (.forwarded, ["Host": "backend", "X-Forwarded-For": "192.0.2.7"], nil),
    ]
    for (headers, request, client) in mixed {
      var options = SessionAPI.Options()
      options.access.proxies = TrustedProxies([try #require(IPNetwork(proxy))])
      options.access.proxies.headers = headers
      let api = Client(options: options)
      let answer = try await api.send(.get, "/connection", headers: request, from: proxy)
      #expect(try answer.member("client") == client, "\(headers) \(request)")
    }
  }

  @Test func `is followed over a limited number of hops`() async throws {
    let chain = repeatElement("10.0.0.2", count: 40).joined(separator: ",")
    #expect(try await seen(["X-Forwarded-For": "192.0.2.7," + chain])[0] == "10.0.0.2")
  }

  private func headers(_ lines: [String]) -> HTTPHeaders {
    HTTPHeaders(
      lines.map { line in
        let parts = line.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)
        return HTTPHeaders.Field(name: String(parts[0]), value: String(parts[1]))
      }
    )
  }

  @Test(arguments: ["10.0.0.4", "127.0.0.1", "::1", "2001:db8::1"])
  func `is known by its address only`(address: String) async throws {
    let told = try await seen(
      from: address,
      [
        "X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https",
        "X-Forwarded-Host": "app.example", "Forwarded": "for=192.0.2.7;host=app.example",
      ]
    )
    #expect(told == ["-", "http", "backend:8080", "ignored"])
  }

  @Test func `may be any client of a Unix socket, which has no address`() async throws {
    let headers: HTTPHeaders = ["Host": "localhost", "X-Forwarded-For": "192.0.2.7"]
    for (name, forwarded) in [("unix", "believed"), ("10.0.0.1", "ignored")] {
      var options = SessionAPI.Options()
      let isTaken = options.access.proxies.add(name)
      #expect(isTaken)
      let answer = try await Client(options: options).send(.get, "/connection", headers: headers)
      #expect(try answer.member("forwarded") == forwarded)
    }
  }

  @Test func `lets in pages of the host that it tells`() async throws {
    let api = try client()
    let headers: HTTPHeaders = [
      "Host": "backend:8080", "X-Forwarded-Host": "app.example", "Origin": "https://app.example",
    ]
    let body = #"{"viewModel":"counter-sync"}"#
    #expect(
      try await api.send(.post, "/sessions", body, headers: headers, from: proxy).status == 201
    )
    let refused = try await api.send(.post, "/sessions", body, headers: headers, from: "10.0.0.9")
    #expect(refused.status == 403)
    #expect(try refused.member("host") == "backend:8080")
    #expect(try refused.member("detail")?.contains("--trusted-proxy") == true)
    #expect(api.host.directory.count == 1)
  }

  @Test func `may send other Hosts than local clients, except for metrics and beyond a list`()
    async throws
  {
    let api = try client(hosts: .loopback(and: nil))
    let headers: HTTPHeaders = ["Host": "app.example", "X-Forwarded-For": "192.0.2.7"]
    #expect(try await api.send(.get, "/view-models", headers: headers, from: proxy).status == 200)
    #expect(
      try await api.send(.get, "/view-models", headers: headers, from: "127.0.0.1").status == 421
    )
    // Through the proxy, everybody could read the metrics.
    #expect(try await api.send(.get, "/metrics", headers: headers, from: proxy).status == 421)
    let named = try client(hosts: AllowedHosts(["other.example"]))
    let address: HTTPHeaders = ["Host": "app.example", "X-Forwarded-Host": "192.0.2.1"]
    #expect(try await named.send(.get, "/metrics", headers: address, from: proxy).status == 421)
    #expect(try await named.send(.get, "/view-models", headers: headers, from: proxy).status == 421)
  }

  @Test(arguments: [
    ("https", "https://app.example", 201), ("https", "http://app.example", 403),
    ("http", "http://app.example", 201), ("http", "https://app.example", 201),
  ])
  func `lets in no page that was loaded without TLS if it speaks TLS`(
    scheme: String,
    origin: String,
    status: Int
  ) async throws {
    let answer = try await client().send(
      .post,
      "/sessions",
      #"{"viewModel":"counter-sync"}"#,
      headers: ["Host": "app.example", "X-Forwarded-Proto": scheme, "Origin": origin],
      from: proxy
    )
    #expect(answer.status == status)
  }

  @Test func `makes commands to copy use its clients' address`() async throws {
    let answer = try await client().send(
      .get,
      "/view-models/counter",
      headers: [
        "Accept": "text/markdown", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "app.example",
      ],
      from: proxy
    )
    #expect(answer.text.contains("url=https://app.example\n"))
  }
}
