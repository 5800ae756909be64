import Foundation
import FusionRawHTTP
import Testing

extension `The tools` {
  @Test func `move a session from one folder to another, with its keys`() throws {
    defer { remove() }
    let service = try serve()
    let id = try counter(service)
    let document = folder + "/session.json"
    let export = try tool("sessions export", "--session", id, "--output", document)
    #expect(export.status == 0 && export.output == "")
    #expect(
      try String(contentsOfFile: document, encoding: .utf8)
        == tool("sessions export", "--session", id).output
    )
    let busy = try tool("sessions import", "--input", document)
    #expect(busy.status == 1)
    #expect(
      busy.errors
        == "uifusion: another process serves the sessions in \(data): stop it first\n"
    )
    let other = folder + "/other"
    let shell = try run(
      "/bin/sh",
      ["-c", #""$0" sessions import --data "$1" < "$2""#, executable.path, other, document]
    )
    #expect(shell.status == 0)
    #expect(shell.output == "imported \(id)\n")
    let again = try run("sessions", "import", "--data", other, "--input", document)
    #expect(again.status == 1)
    #expect(
      again.errors == "uifusion: session \(id) exists in \(other) already: "
        + "give --replace, or delete it\n"
    )
    let replaced = try run("sessions", "import", "--data", other, "--input", document, "--replace")
    #expect(replaced.status == 0)

    let next = try ServiceProcess("--data", other)
    let client = try next.connect()
    client.request(
      "POST /sessions/\(id)/inputs",
      "Content-Type: application/json\r\nIdempotency-Key: k\r\n",
      body: #""increase""#
    )
    let answer = try #require(try client.response())
    #expect(answer["Idempotency-Replayed"] == "true")
    #expect(answer.text.hasPrefix(#"{"version":4,"state":{"value":0,"#))
    #expect(try client.post(#""increase""#, to: "/sessions/\(id)").hasPrefix(#"{"version":5,"#))
    #expect(try next.stop().status == 0)
  }

  @Test func `refuse a file that is not an exported session`() throws {
    defer { remove() }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let document = folder + "/session.json"
    let time = "2026-11-20T08:15:30.250Z"
    let patched = """
      {"uifusionSession":1,"id":"AAAAAAAAAAAAAAAAAAAAAA","viewModel":"v","parameters":null,\
      "created":"\(time)","used":"\(time)",\
      "head":{"sequence":0,"version":1,"format":1,"running":[],"state":{}},\
      "entries":[{"version":2,"time":"\(time)","running":[],"trace":[],\
      "patch":[{"op":"remove","path":"/a"}]}],"answers":[]}
      """
    for (text, fault) in [
      (patched, "/a"),
      ("{", "the text ends"), ("{}", "uifusionSession must be a whole number"),
    ] {
      try text.write(toFile: document, atomically: false, encoding: .utf8)
      let result = try tool("sessions import", "--input", document)
      #expect(result.status == 1)
      #expect(result.errors.hasPrefix("uifusion: \(document) is not an exported session: "))
      #expect(result.errors.contains(fault), "\(result.errors)")
    }
    let missing = try tool("sessions import", "--input", folder + "/none")
    #expect(missing.status == 1)
    #expect(
      missing.errors == "uifusion: cannot read \(folder)/none: No such file or directory\n"
    )
    #expect(!FileManager.default.fileExists(atPath: data))
  }
}
