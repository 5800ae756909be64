import FusionRawHTTP
import FusionStrictJSON
import Testing

struct `The log of requests` {
  private func lines(_ log: String) throws -> [JSONTree] {
    try log.split(separator: "\n").map { JSONTree(try JSONDocument(Array($0.utf8)).root) }
      .filter { $0["message"] == "request" }
  }

  @Test func `has a line for each request at level debug, and names no session`() throws {
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

  @Test(arguments: ["info", "debug"])
  func `has one line for each request at level info if the access log is on`(level: String) throws {
    let service = try ServiceProcess("--access-log", "on", "--log-level", level, "--log", "json")
    let session = try service.session("counter-sync")
    do {
      let stream = try service.connect()
      _ = try stream.follow(session)
    }
    let client = try service.connect()
    let answer = try client.post(#""increase""#, to: session)
    client.request("GET /films/nothing")
    _ = try client.response()
    let (_, log) = try service.stop()
    let lines = try lines(log)
    for line in lines { #expect(line["level"] == "info") }
    for route in ["/sessions", "/sessions/{id}/events", "/sessions/{id}/inputs", "/*"] {
      #expect(lines.count { $0["route"] == .string(route) } == 1)
    }
    #expect(lines.count == 4)
    let input = try #require(lines.first { $0["route"] == "/sessions/{id}/inputs" })
    #expect(input["bytes"] == .string("\(answer.utf8.count)"))
    let id = session.dropFirst("/sessions/".count)
    #expect(input["session"] == .string("\(id.prefix(6))…"))
    #expect(input["seconds"]?.text.wholeMatch(of: /"\d+\.\d{6}"/) != nil)
    #expect(!log.contains(id) && !log.contains("films"))
  }

  @Test func `has the same line as text`() throws {
    let service = try ServiceProcess("--access-log", "on")
    let client = try service.connect()
    client.request("GET /nothing", "X-Request-Id: a-1\r\n")
    let count = try #require(try client.response()).text.utf8.count
    let line =
      #/info request request=a-1 method=GET route=/\* status=404 bytes=(\d+) seconds=\d+\.\d{6} session=- problem=/problems/not-found client=127.0.0.1\n/#
    let match = try service.stop().log.firstMatch(of: line)
    #expect(match?.output.1 == "\(count)")
  }

  @Test(arguments: [
    ["--log", "json"], ["--log", "json", "--access-log", "on", "--log-level", "warning"],
  ])
  func `is empty if the level leaves requests out`(flags: [String]) throws {
    let service = try ServiceProcess(flags: flags)
    _ = try service.session("counter-sync")
    let (_, log) = try service.stop()
    #expect(try lines(log).isEmpty)
  }
}

struct `The log of Inputs` {
  private let password = "correct-horse-7"

  private func log(_ flags: String...) throws -> (log: String, session: String) {
    let service = try ServiceProcess(flags: flags)
    let session = try service.session("login")
    let client = try service.connect()
    let fields = "X-Request-Id: a-1\r\nContent-Type: application/json\r\n"
    let body = #"[{"emailChanged":"ada@example.org"},{"passwordChanged":"\#(password)"},"submit"]"#
    client.request("POST \(session)/inputs", fields, body: body)
    #expect(try client.response()?.status == 200)
    return (try service.stop().log, session)
  }

  @Test(arguments: ["text", "json"])
  func `has a line for each Input at level debug, without values`(format: String) throws {
    let (log, session) = try log("--log", format, "--log-level", "debug", "--access-log", "on")
    let lines = log.split(separator: "\n").filter { $0.contains("submit") }
    #expect(lines.count == 1 && log.contains("passwordChanged"))
    #expect(
      !log.contains(password) && !log.contains("ada@example") && !log.contains(session.suffix(22))
    )
  }

  @Test func `tells the outcome of an Input, as text`() throws {
    let (log, session) = try log("--log-level", "debug")
    let line = try #require(log.split(separator: "\n").first { $0.contains("input=submit") })
    let id = session.suffix(22).prefix(6)
    #expect(
      line.contains(" debug input session=\(id)… input=submit actions=requestLogin version=4 ")
    )
    #expect(line.contains(#/ seconds=\d+\.\d{6} settled=false request=a-1$/#))
  }

  @Test func `is empty above level debug`() throws {
    let (log, _) = try log("--access-log", "on")
    #expect(log.contains("info request") && !log.contains("submit"))
  }
}
