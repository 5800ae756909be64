import FusionRawHTTP
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct `Every answer of the service` {
  @Test func `carries the security headers once`() throws {
    let service = try ServiceProcess("--max-body", "30")
    let host = "Host: localhost\r\n"
    for (status, request) in [
      (200, "GET / HTTP/1.1\r\n\(host)\r\n"),
      (206, "GET / HTTP/1.1\r\n\(host)Range: bytes=0-1\r\n\r\n"),
      (416, "GET / HTTP/1.1\r\n\(host)Range: bytes=9999999-\r\n\r\n"),
      (304, "GET / HTTP/1.1\r\n\(host)If-None-Match: *\r\n\r\n"),
      (204, "OPTIONS / HTTP/1.1\r\n\(host)\r\n"),
      (404, "GET /nothing HTTP/1.1\r\n\(host)\r\n"),
      (405, "DELETE / HTTP/1.1\r\n\(host)\r\n"),
      (403, "DELETE / HTTP/1.1\r\n\(host)Origin: null\r\n\r\n"),
      (421, "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"),
      (400, "GET / HTTP/1.1\r\n\r\n"),
      (400, "GET /%zz HTTP/1.1\r\n\(host)\r\n"),
      (501, "BREW / HTTP/1.1\r\n\(host)\r\n"),
      (505, "GET / HTTP/1.2\r\n\(host)\r\n"),
      (413, "POST /sessions HTTP/1.1\r\n\(host)Content-Length: 31\r\n\r\n"),
      (415, "POST /sessions HTTP/1.1\r\n\(host)Content-Length: 2\r\n\r\n{}"),
    ] {
      let client = try service.connect()
      client.send(request)
      let answer = try #require(try client.response())
      #expect(answer.status == status)
      #expect(answer.count("X-Content-Type-Options") == 1, "\(request)")
      #expect(answer["X-Content-Type-Options"] == "nosniff")
      #expect(answer.count("Referrer-Policy") == 1)
      #expect(answer.count("Cross-Origin-Resource-Policy") == 1)
      let policy = try #require(answer["Content-Security-Policy"])
      #expect(policy.contains("default-src") && policy.contains("frame-ancestors"))
      #expect(!policy.contains("unsafe"))
    }
  }

  @Test func `lets pages load from the sources given by --csp`() throws {
    let service = try ServiceProcess("--csp", "img-src https://cdn.example.org")
    let client = try service.connect()
    client.request("GET /")
    let policy = try #require(try client.response()?["Content-Security-Policy"])
    #expect(policy.contains("; img-src 'self' https://cdn.example.org"))
    #expect(policy.hasPrefix("default-src 'self'; base-uri 'none'; form-action 'self'"))
    let bad = try run("serve", "--port", "0", "--csp", "img-src")
    #expect(bad.status == 2 && bad.errors.contains("--csp must be"))
  }
}
