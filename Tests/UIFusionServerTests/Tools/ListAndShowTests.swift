import Foundation
import FusionRawHTTP
import Testing

extension `The tools` {
  @Test func `list and show sessions while the service runs`() throws {
    defer { remove() }
    let service = try serve()
    #expect(try tool("sessions list").output == "no sessions in \(data)\n")
    #expect(try tool("sessions list", "--format", "json").output == "")
    let id = try counter(service)
    let list = try tool("sessions list")
    #expect(list.status == 0)
    #expect(
      list.output.firstMatch(of: /^ID +VIEW MODEL +VERSION +CREATED +USED +STATE +ENTRIES +SINCE\n/)
        != nil
    )
    // The size is that of the first State or the last, by whether the log has been merged.
    #expect(
      fixed(list.output, id).contains(
        /\nID  counter-sync  4        TIME  TIME  6[43] B   4        TIME\n$/
      )
    )
    let lines = try tool("sessions list", "--format", "json").output
    #expect(
      fixed(lines, id).hasPrefix(
        #"{"id":"ID","viewModel":"counter-sync","version":4,"created":"TIME","used":"TIME","#
      )
    )
    let show = try tool("sessions show", "--session", id)
    #expect(
      fixed(show.output, id) == """
        id          ID
        viewModel   counter-sync
        version     4
        format      1
        created     TIME
        used        TIME
        parameters  –
        running     –
        alarms      –
        messages    –
        shares      –
        keys        1
        entries     3
        state       {"value":0,"isReset":true,"showAlert":{"value":null,"pulse":0}}

        """
    )
    let json = try tool("sessions show", "--session", id, "--format", "json")
    let rest =
      #""parameters":null,"running":[],"alarms":[],"messages":[],"shares":[],"keys":1,"#
      + #""entries":3,"state":{"#
    #expect(json.output.contains(rest))
  }
}

extension `The tools` {
  @Test func `show a session's name, and keep it through export and import`() throws {
    defer { remove() }
    let service = try serve()
    let client = try service.connect()
    let body = #"{"viewModel":"counter-sync","name":"team 42"}"#
    client.request("POST /sessions", "Content-Type: application/json\r\n", body: body)
    let created = try #require(try client.response())
    let id = self.id(of: try #require(created["Location"]))
    #expect(try service.stop().status == 0)
    #expect(try tool("sessions list").output.contains(/ENTRIES.* NAME +IDENTITY\n.* team 42  –/))
    let lines = try tool("sessions list", "--format", "json").output
    #expect(lines.contains(#","name":"team 42"}"#))
    let show = try tool("sessions show", "--session", id).output
    #expect(show.contains("\nname        team 42\n"))
    let document = folder + "/session.json"
    #expect(
      try tool("sessions export", "--session", id, "--output", document).status == 0
    )
    let other = folder + "/other"
    #expect(try run("sessions", "import", "--data", other, "--input", document).status == 0)
    let there = try run("sessions", "show", "--data", other, "--session", id).output
    #expect(there.contains("\nname        team 42\n"))
    // A second session of that name is refused, and the first stays.
    let text = try String(contentsOfFile: document, encoding: .utf8)
    let second = text.replacing(id, with: "AAAAAAAAAAAAAAAAAAAAAA")
    try second.write(toFile: document, atomically: true, encoding: .utf8)
    for flags in [[], ["--replace"]] {
      let refused = try run(
        executable.path,
        ["sessions", "import", "--data", other, "--input", document] + flags
      )
      #expect(refused.status == 1)
      #expect(refused.errors.contains("session \(id) in \(other) has this name already"))
    }
  }
}

extension `The tools` {
  @Test func `show a session's shares, which outlive a crash and are in backups but not exports`()
    throws
  {
    defer { remove() }
    let service = try serve()
    let session = try service.session("counter-sync")
    func ask(_ service: ServiceProcess, _ line: String, _ body: String = "") throws
      -> RawClient.Response
    {
      let client = try service.connect()
      client.request(line, "Content-Type: application/json\r\n", body: body)
      return try #require(try client.response())
    }
    let shared = try ["driver", "observer"].map { role in
      try #require(try ask(service, "POST \(session)/shares", #"{"role":"\#(role)"}"#)["Location"])
    }
    let revoking = "DELETE \(session)/shares/\(id(of: shared[1]))"
    #expect(try ask(service, revoking).status == 204)
    let id = id(of: session)
    let shares = "\nshares      [\"driver\"]\n"
    #expect(try tool("sessions show", "--session", id).output.contains(shares))
    service.kill()
    let next = try serve()
    #expect(try ask(next, "POST \(shared[0])/inputs", #""increase""#).status == 200)
    #expect(try ask(next, "GET \(shared[1])").status == 404)
    let (backup, document) = (folder + "/backup", folder + "/session.json")
    #expect(try tool("sessions backup", "--output", backup).status == 0)
    let kept = try run("sessions", "show", "--data", backup, "--session", id).output
    #expect(kept.contains(shares))
    #expect(try tool("sessions export", "--session", id, "--output", document).status == 0)
    let other = folder + "/other"
    #expect(try run("sessions", "import", "--data", other, "--input", document).status == 0)
    let there = try run("sessions", "show", "--data", other, "--session", id).output
    #expect(there.contains("\nshares      –\n"))
    let log = try next.stop().log
    for shared in shared { #expect(!log.contains(self.id(of: shared))) }
  }
}
