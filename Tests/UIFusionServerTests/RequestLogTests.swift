import FusionRawHTTP
import FusionStrictJSON
import Testing

struct `The log of requests` {
  private func lines(_ log: String) throws -> [JSONTree] {
    try log.split(separator: "\n").map { JSONTree(try JSONDocument(Array($0.utf8)).root) }
      .filter { $0["message"] == "request" }
  }

  @Test func `has a line for each at the level debug, and names no session`() throws {
    let service = try ServiceProcess("--log-level", "debug", "--log", "json")
    let session = try service.session("counter-sync")
    let client = try service.connect()
    client.request("GET \(session)", "X-Request-Id: a-1\r\n")
    #expect(try client.response()?["X-Request-Id"] == "a-1")
    client.request("DELETE /nothing")
    let missing = try #require(try client.response())
    let id = try #require(missing["X-Request-Id"])
    #expect(missing.text.contains(#""requestId":"\#(id)""#))
    let broken = try service.connect()
    broken.send("GET / HTTP/1.1\r\n\r\n")
    let refused = try #require(try broken.response())
    for header in ["X-Request-Id", "X-Content-Type-Options", "Content-Security-Policy"] {
      #expect(refused.count(header) == 1)
    }
    let (_, log) = try service.stop()
    let lines = try lines(log)
    #expect(lines.map { $0["route"] } == ["/sessions", "/sessions/{id}", "/*", "-"])
    #expect(lines.map { $0["method"] } == ["POST", "GET", "DELETE", "-"])
    #expect(lines.map { $0["status"] } == ["201", "200", "404", "400"])
    #expect(
      lines.map { $0["problem"] } == ["-", "-", "/problems/not-found", "/problems/bad-host"]
    )
    #expect(lines[1]["request"] == "a-1" && lines[2]["request"] == .string(id))
    #expect(lines[3]["request"] == .string(refused["X-Request-Id"] ?? ""))
    for line in lines { #expect((line["seconds"]?.text).map { $0 != "\"\"" } == true) }
    #expect(!log.contains(session.dropFirst("/sessions/".count)))
  }

  @Test func `has none above it`() throws {
    let service = try ServiceProcess("--log", "json")
    _ = try service.session("counter-sync")
    let (_, log) = try service.stop()
    #expect(try lines(log).isEmpty && log.contains("stopped"))
  }
}
