import Foundation
import FusionRawHTTP
import FusionStrictJSON
import Testing

extension `The tools` {
  @Test func `fork a session at a version, and leave the original unchanged`() throws {
    defer { remove() }
    let service = try serve()
    let id = try counter(service)
    let busy = try tool("sessions fork", "--session", id)
    #expect(busy.status == 1 && busy.errors.contains("another process serves"))
    _ = try service.stop()
    let fork = try tool("sessions fork", "--session", id, "--version", "3")
    #expect(fork.status == 0)
    let new = String(fork.output.dropLast().suffix(22))
    #expect(fork.output == "forked version 3 of \(id) as \(new)\n" && new != id)
    for (session, version, value) in [(new, 3, 2), (id, 4, 0)] {
      let show = try tool("sessions show", "--session", session, "--format", "json").output
      #expect(show.contains("\"version\":\(version),") && show.contains("\"value\":\(value),"))
    }
    let missing = try tool("sessions fork", "--session", id, "--version", "9")
    #expect(missing.status == 1 && missing.errors.contains("does not have that"))
    let next = try serve()
    #expect(try next.connect().post(#""increase""#, to: "/sessions/\(new)").contains(#""value":3"#))
    #expect(try next.stop().status == 0)
  }

  @Test func `recover sessions to a moment as a new version`() throws {
    defer { remove() }
    let service = try serve()
    let id = try counter(service)
    let moment = try versionAtFirstInput(of: id)
    let later = self.id(of: try service.session("counter-sync"))
    #expect(try tool("sessions recover", "--at", moment.time).status == 1)
    _ = try service.stop()
    let recovery = try tool("sessions recover", "--at", moment.time)
    #expect(recovery.status == 0, "\(recovery.errors)")
    #expect(
      recovery.output
        == "1 session recovered, as a new version\n1 session created later, and left alone\n"
        + "session \(later) left alone: it was created later\n"
    )
    let replay = try tool("replay", "--session", id)
    #expect(replay.output.contains("recovered version \(moment.version) by \(user)\n"))
    #expect(try tool("replay", "--session", id, "--check").status == 0)
    let next = try serve()
    let client = try next.connect()
    client.request("GET /sessions/\(id)")
    let answer = try #require(try client.response())
    #expect(answer["ETag"] == "\"5\"")
    #expect(answer.text.contains("\"value\":\(moment.version - 1),"))
    // Keys stay.
    client.request(
      "POST /sessions/\(id)/inputs",
      "Content-Type: application/json\r\nIdempotency-Key: k\r\n",
      body: #""increase""#
    )
    let repeated = try #require(try client.response())
    #expect(repeated["Idempotency-Replayed"] == "true")
    #expect(repeated.text.contains("\"version\":5,"), "\(repeated.text)")
    client.request("GET /sessions/\(later)")
    #expect(try client.response()?["ETag"] == "\"1\"")
    #expect(try next.stop().status == 0)
  }

  @Test func `recover one session to a version, and report a missing version`() throws {
    defer { remove() }
    let service = try serve()
    let id = try counter(service)
    _ = try service.stop()
    let recovery = try tool("sessions recover", "--session", id, "--version", "3")
    #expect(recovery.output == "1 session recovered, as a new version\n")
    let again = try tool("sessions recover", "--session", id, "--version", "5")
    #expect(again.output == "0 sessions recovered, as a new version\n1 session not changed since\n")
    let missing = try tool("sessions recover", "--session", id, "--version", "9")
    #expect(missing.status == 1)
    #expect(missing.output.contains("session \(id) left alone: that is not in its history\n"))
    let early = try tool("sessions recover", "--at", "2020-01-01T01:00:00+01:00")
    #expect(early.output.contains("1 session created later, and left alone"))
    #expect(early.output.contains("session \(id) left alone: it was created later\n"))
    for flags in [["--at", "yesterday"], ["--version", "3"], []] {
      #expect(try run(executable.path, ["sessions", "recover"] + flags).status == 2, "\(flags)")
    }
  }

  @Test func `find each version while days of history are kept, whatever the State's size`() throws
  {
    defer { remove() }
    _ = try serve().stop()
    let flags = ["--data", data, "--history-days", "1"]
    let title = String(repeating: "x", count: 150)
    var service = try ServiceProcess(flags: flags)
    let session = try service.session("todos")
    let adds = (1...30).map { #"{"add":{"title":"\#($0)\#(title)"}}"# }
    _ = try service.connect().post("[\(adds.joined(separator: ","))]", to: session)
    for _ in 1...2 {
      let filters = (1...50).map { #"{"setFilter":"\#($0 % 2 == 0 ? "all" : "active")"}"# }
      _ = try service.connect().post("[\(filters.joined(separator: ","))]", to: session)
      // The process gets no chance to write anything.
      service.kill()
      service = try ServiceProcess(flags: flags)
    }
    let client = try service.connect()
    for version in 1...131 {
      client.request("GET \(session)/versions/\(version)")
      #expect(try client.response()?.status == 200, "version \(version)")
    }
    #expect(try service.stop().status == 0)
  }

  /// Returns the time of the session's first Input, and the newest version by then.
  private func versionAtFirstInput(of id: String) throws -> (time: String, version: Int) {
    let lines = try tool("replay", "--session", id, "--format", "json").output.split(
      separator: "\n"
    )
    let steps = try lines.map { JSONTree(try JSONDocument(Array($0.utf8)).root) }
    let times = steps.compactMap { step -> (String, Int)? in
      guard case .string(let time)? = step["time"], case .number(let version)? = step["version"]
      else { return nil }
      return (time, Int(version) ?? 0)
    }
    let first = try #require(times.first { $0.1 == 2 })
    return (first.0, times.last { $0.0 <= first.0 }?.1 ?? 0)
  }
}
