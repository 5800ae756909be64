import Testing

@testable import FusionDoctor

struct `The check of a request's arrival` {
  private func judge(
    _ version: String = "HTTP/1.1",
    scheme: String = "https",
    host: String = "example.org",
    basePath: String = "/app",
    forwarded: String = "believed",
    client: String? = "192.0.2.1"
  ) throws -> [Finding] {
    let text = """
      {"protocol":"\(version)","scheme":"\(scheme)","host":"\(host)","basePath":"\(basePath)",\
      "forwarded":"\(forwarded)","client":\(client.map { "\"\($0)\"" } ?? "null"),"heartbeat":2}
      """
    let route = try #require(Route(tree(text)))
    #expect(route.heartbeat == 2)
    return ArrivalCheck.judge(route, try url())
  }

  @Test func `passes a request that arrives as it was sent`() throws {
    #expect(try judge().isGreen)
    #expect(try judge(forwarded: "none", client: nil).isGreen)
    #expect(try judge(host: "Example.org:443", basePath: "/app/").isGreen)
  }

  @Test func `reports HTTP/1.0`() throws {
    let fault = try #require(try judge("HTTP/1.0").fault)
    #expect(fault.advises(#"proxy_http_version 1.1; proxy_set_header Connection "";"#))
  }

  @Test func `reports a scheme that is not forwarded`() throws {
    let fault = try #require(try judge(scheme: "http").fault)
    #expect(fault.text.contains("missing forwarded scheme"))
    #expect(fault.advises("X-Forwarded-Proto"))
    #expect(fault.advises("--trusted-proxy"))
  }

  @Test func `reports a client's address that is not forwarded`() throws {
    let fault = try #require(try judge(client: nil).fault)
    #expect(fault.level == .failure)
    #expect(fault.text == "the client's address does not arrive: all clients share one limit")
    #expect(fault.advises("proxy_set_header X-Forwarded-For $remote_addr;"))
    #expect(fault.advises("http-request set-header X-Forwarded-For %[src]"))
    #expect(fault.advises("no ProxyAddHeaders Off"))
  }

  @Test(arguments: ["127.0.0.1:8080", "example.org:8443", "not a host"])
  func `reports a different host`(host: String) throws {
    let fault = try #require(try judge(host: host).fault)
    #expect(fault.advises("proxy_set_header Host $http_host;"))
    #expect(fault.advises("X-Forwarded-Host"))
  }

  @Test func `reports a different base path`() throws {
    let fault = try #require(try judge(basePath: "").fault)
    #expect(fault.text == "the service takes / for its base path, not /app")
    #expect(fault.advises("--base-path /app"))
  }

  @Test func `reports one cause if forwarded headers are ignored`() throws {
    let fault = try #require(
      try judge(scheme: "http", host: "127.0.0.1:8080", forwarded: "ignored", client: nil).fault
    )
    #expect(fault.text.hasSuffix("it sees http://127.0.0.1:8080"))
    #expect(fault.advises("--trusted-proxy"))
    #expect(try judge(forwarded: "ignored", client: nil).fault != nil)
  }

  @Test func `is skipped for an older service, and fails if the host is refused`() throws {
    func judge(_ answer: CurlAnswer) throws -> Finding {
      ArrivalCheck.judge(untold: answer, try url())
    }
    #expect(try judge(problem(404, "unknown-path")).level == .skipped)
    let refused = try judge(problem(421, "misdirected-request"))
    #expect(refused.level == .failure)
    #expect(refused.advises("--trusted-proxy") && refused.advises("--allow-host example.org"))
    #expect(refused.advises("proxy_set_header Host"))
    #expect(try judge(answer(404, ["Server: nginx"])).level == .failure)
  }

  @Test func `ignores malformed descriptions of a request`() throws {
    #expect(Route(nil) == nil)
    #expect(Route(try tree(#"{"type":"/problems/unknown-path"}"#)) == nil)
    #expect(Route(try tree(#"{"protocol":"1","scheme":"a","host":"b","forwarded":"x"}"#)) == nil)
  }
}
