import Testing

@testable import FusionDoctor

struct `How a request arrives` {
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

  @Test func `is as it was sent`() throws {
    #expect(try judge().isGreen)
    #expect(try judge(forwarded: "none", client: nil).isGreen)
    #expect(try judge(host: "Example.org:443", basePath: "/app/").isGreen)
  }

  @Test func `is wrong over HTTP 1.0`() throws {
    let fault = try #require(try judge("HTTP/1.0").fault)
    #expect(fault.advises(#"proxy_http_version 1.1; proxy_set_header Connection "";"#))
  }

  @Test func `is wrong where the scheme is not forwarded`() throws {
    let fault = try #require(try judge(scheme: "http").fault)
    #expect(fault.text.contains("missing forwarded scheme"))
    #expect(fault.advises("X-Forwarded-Proto"))
    #expect(fault.advises("--trusted-proxy"))
  }

  @Test func `is wrong where the client's address is not forwarded`() throws {
    let fault = try #require(try judge(client: nil).fault)
    #expect(fault.level == .failure)
    #expect(fault.text == "the client's address does not arrive: all clients share one limit")
    #expect(fault.advises("proxy_set_header X-Forwarded-For $remote_addr;"))
    #expect(fault.advises("http-request set-header X-Forwarded-For %[src]"))
    #expect(fault.advises("no ProxyAddHeaders Off"))
  }

  @Test(arguments: ["127.0.0.1:8080", "example.org:8443", "not a host"])
  func `is wrong where the host is another`(host: String) throws {
    let fault = try #require(try judge(host: host).fault)
    #expect(fault.advises("proxy_set_header Host $http_host;"))
    #expect(fault.advises("X-Forwarded-Host"))
  }

  @Test func `is wrong where the base path is another`() throws {
    let fault = try #require(try judge(basePath: "").fault)
    #expect(fault.text == "the service takes / for its base path, not /app")
    #expect(fault.advises("--base-path /app"))
  }

  @Test func `has one cause where what is forwarded is ignored`() throws {
    let fault = try #require(
      try judge(scheme: "http", host: "127.0.0.1:8080", forwarded: "ignored", client: nil).fault
    )
    #expect(fault.text.hasSuffix("it sees http://127.0.0.1:8080"))
    #expect(fault.advises("--trusted-proxy"))
    #expect(try judge(forwarded: "ignored", client: nil).fault != nil)
  }

  @Test func `is not told by an older service, or one that refuses the host`() throws {
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

  @Test func `is not told by anything else`() throws {
    #expect(Route(nil) == nil)
    #expect(Route(try tree(#"{"type":"/problems/unknown-path"}"#)) == nil)
    #expect(Route(try tree(#"{"protocol":"1","scheme":"a","host":"b","forwarded":"x"}"#)) == nil)
  }
}
