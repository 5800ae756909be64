import FusionHTTPMessages
import FusionMicrohttpdServer
import FusionRawHTTP
import Testing

extension `A server` {
  struct `reading requests` {
    @Test func `takes any number of query arguments`() async throws {
      try await serving { server in
        let query = (0..<300).map { "a\($0)=1" }.joined(separator: "&")
        let client = try RawClient(server.port)
        client.request("GET /x?\(query)")
        let response = try #require(try client.response())
        #expect(response.status == 200)
        #expect(response.text.hasPrefix("GET /x a0=1&"))
        #expect(response.text.hasSuffix("a299=1 "))
      }
    }

    @Test func `answers requests one after another on one connection`() async throws {
      try await serving { server in
        let client = try RawClient(server.port)
        for number in 0..<5 {
          client.request("POST /a/\(number)?x=%41&y", body: "body \(number)")
          let response = try client.response()
          #expect(response?.text == "POST /a/\(number) x=A&y= body \(number)")
          #expect(response?["Content-Type"] == "text/plain")
        }
      }
    }

    @Test func `reads each request's own headers`() async throws {
      try await serving(handler: { request, respond in
        let all = request.headers.fields.map { "\($0.name)=\($0.value)" }.joined(separator: "|")
        respond(HTTPResponse(200, body: .bytes(Array(all.utf8))))
      }) { server in
        let client = try RawClient(server.port)
        for fields in [
          ["A": "1"], ["A": "1", "Long-Name-Of-A-Header": "a value longer than a word"],
          ["A": "1", "Long-Name-Of-A-Header": "a value longer than a wor_"], ["A": "2"], [:],
          ["B": "", "A": "\u{e9}"], ["B": "", "A": "\u{e9}"],
        ] as [KeyValuePairs<String, String>] {
          client.request("GET /", fields.map { "\($0): \($1)\r\n" }.joined())
          let expected = ["Host=localhost"] + fields.map { "\($0)=\($1)" }
          #expect(try client.response()?.text == expected.joined(separator: "|"))
        }
      }
    }

    @Test func `answers pipelined requests in order`() async throws {
      try await serving { server in
        let client = try RawClient(server.port)
        client.send(
          (0..<20).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()
        )
        for number in 0..<20 {
          #expect(try client.response()?.text == "GET /\(number)  ")
        }
      }
    }

    @Test func `joins the chunks of a body`() async throws {
      try await serving { server in
        let client = try RawClient(server.port)
        client.request("POST /", "Transfer-Encoding: chunked\r\n")
        client.send("3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nTrailer: x\r\n\r\n")
        #expect(try client.response()?.text == "POST /  abcde")
      }
    }

    @Test func `sends 100 Continue to a client that waits for it`() async throws {
      try await serving { server in
        let client = try RawClient(server.port)
        client.request("POST /", "Content-Length: 3\r\nExpect: 100-continue\r\n")
        #expect(try client.head()?.status == 100)
        client.send("abc")
        #expect(try client.response()?.text == "POST /  abc")
      }
    }

    @Test func `takes the host from an absolute target`() async throws {
      try await serving { server in
        let client = try RawClient(server.port)
        client.request("GET http://example.org:1/a?b=c")
        let response = try client.response()
        #expect(response?.text == "GET /a b=c ")
        #expect(response?["Seen-Host"] == "example.org:1")
      }
    }

    @Test(arguments: [
      ("GET / HTTP/1.1\r\n\r\n", 400, "bad-host"),
      ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400, "bad-host"),
      ("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400, "bad-host"),
      ("GET / HTTP/1.1\r\nHost: a\r\nX Y: 1\r\n\r\n", 400, "malformed-request"),
      ("GET / HTTP/1.1\r\nHost: a\r\nX: \u{1}\r\n\r\n", 400, "malformed-request"),
      ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length : 5\r\n\r\nabcde", 400, "malformed-request"),
      (
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400,
        "bad-framing"
      ),
      (
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        400, "bad-framing"
      ),
      ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400, "bad-framing"),
      ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 400, "bad-framing"),
      ("GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400, "bad-target"),
      ("BREW / HTTP/1.1\r\nHost: a\r\n\r\n", 501, "unknown-method"),
      ("get / HTTP/1.1\r\nHost: a\r\n\r\n", 501, "unknown-method"),
      ("GET / HTTP/1.2\r\nHost: a\r\n\r\n", 505, "unknown-http-version"),
      ("GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400, "bad-target"),
      ("GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n", 400, "bad-target"),
      ("GET /a\0b HTTP/1.1\r\nHost: a\r\n\r\n", 400, "bad-target"),
      ("GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", 400, "bad-target"),
      ("GET a HTTP/1.1\r\nHost: a\r\n\r\n", 400, "bad-target"),
      ("GET /?a=%0g HTTP/1.1\r\nHost: a\r\n\r\n", 400, "bad-target"),
    ])
    func `refuses malformed and ambiguous requests`(_ text: String, _ status: Int, _ name: String)
      async throws
    {
      try await serving({ $0.responseHeaders = [.init(name: "X-Always", value: "yes")] }) {
        server in
        let client = try RawClient(server.port)
        client.send(text)
        let response = try client.response()
        #expect(response?.status == status)
        #expect(response?["Content-Type"] == "application/problem+json")
        #expect(response?["Connection"] == "close")
        #expect(response?["X-Always"] == "yes")
        #expect(response?.text.contains("\"/problems/\(name)\"") == true)
        #expect(try client.byte() == nil)
      }
    }

    @Test func `refuses a length beyond the limit before the body arrives`() async throws {
      try await serving({ $0.maxBodyBytes = 10 }) { server in
        let fits = try RawClient(server.port)
        fits.request("POST /", body: "0123456789")
        #expect(try fits.response()?.text == "POST /  0123456789")
        let client = try RawClient(server.port)
        client.request("POST /", "Content-Length: 11\r\n")
        let response = try client.response()
        #expect(response?.status == 413)
        #expect(response?["Connection"] == "close")
        let huge = try RawClient(server.port)
        huge.request("POST /", "Content-Length: 9223372036854775807\r\n")
        #expect(try huge.response()?.status == 413)
        let waiting = try RawClient(server.port)
        waiting.request("POST /", "Content-Length: 11\r\nExpect: 100-continue\r\n")
        #expect(try waiting.response()?.status == 413)
      }
    }

    @Test func `refuses chunks that exceed the limit`() async throws {
      try await serving({ $0.maxBodyBytes = 10 }) { server in
        let client = try RawClient(server.port)
        client.request("POST /", "Transfer-Encoding: chunked\r\n")
        client.send("6\r\nabcdef\r\n6\r\nabcdef\r\n0\r\n\r\n")
        let response = try client.response()
        #expect(response?.status == 413)
        #expect(response?["Connection"] == "close")
        #expect(try client.byte() == nil)
      }
    }

    @Test func `cuts a client whose chunks do not end`() async throws {
      try await serving({ $0.maxBodyBytes = 10 }) { server in
        let client = try RawClient(server.port)
        client.request("POST /", "Transfer-Encoding: chunked\r\n")
        let chunk = "10000\r\n" + String(repeating: "x", count: 65_536) + "\r\n"
        for _ in 0..<20 { client.send(chunk) }
        #expect(try client.readToEnd().isEmpty)
      }
    }

    @Test func `answers HTTP/1.0 and closes`() async throws {
      try await serving { server in
        let client = try RawClient(server.port)
        client.send("GET / HTTP/1.0\r\n\r\n")
        #expect(try client.response()?.text == "GET /  ")
        #expect(try client.byte() == nil)
      }
    }
  }
}
