import Foundation
import RawHTTP
import Testing

/// Against the executable, on what a service has written: beside it, or after it has stopped.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct `The tools` {
  private let folder = FileManager.default.temporaryDirectory.appending(
    path: "uifusion-tools-\(UUID().uuidString)"
  ).path

  private func remove() { try? FileManager.default.removeItem(atPath: folder) }

  private var data: String { folder + "/data" }

  private func serve() throws -> ServiceProcess {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return try ServiceProcess("--data", data)
  }

  private func id(of session: String) -> String { String(session.split(separator: "/").last ?? "") }

  /// Runs a tool on the folder.
  private func tool(
    _ command: String,
    _ flags: String...
  ) throws -> (status: Int32, output: String, errors: String) {
    let words = command.split(separator: " ").map(String.init)
    return try run(executable.path, words + ["--data", data] + flags)
  }

  /// A session that was counted up and reset, with a key.
  private func counter(_ service: ServiceProcess) throws -> String {
    let session = try service.session("counter-sync")
    let client = try service.connect()
    client.request(
      "POST \(session)/inputs",
      "Content-Type: application/json\r\nIdempotency-Key: k\r\n",
      body: #""increase""#
    )
    #expect(try client.response()?.status == 200)
    _ = try client.post(#"["increase","reset"]"#, to: session)
    return id(of: session)
  }

  /// A text in which ids and times are the same in every run.
  private func fixed(_ text: String, _ id: String) -> String {
    text.replacing(id, with: "ID")
      .replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/, with: "TIME")
  }

  // MARK: replay

  @Test func `print what led to each State, beside the service`() throws {
    defer { remove() }
    let service = try serve()
    let id = try counter(service)
    let replay = try tool("replay", "--session", id)
    #expect(replay.status == 0 && replay.errors == "")
    #expect(
      fixed(replay.output, id) == """
        counter-sync ID

        version 1  TIME
          state     {"value":0,"isReset":false,"showAlert":{"value":null,"pulse":0}}

        version 2  TIME
          input     {"increase":{}}
          action    {"increaseValue":{}}
          state     {"value":1,"isReset":false,"showAlert":{"value":null,"pulse":0}}

        version 3  TIME
          input     {"increase":{}}
          action    {"increaseValue":{}}
          state     {"value":2,"isReset":false,"showAlert":{"value":null,"pulse":0}}

        version 4  TIME
          input     {"reset":{}}
          action    {"resetValue":{}}
          state     {"value":0,"isReset":true,"showAlert":{"value":null,"pulse":0}}

        """
    )
    let check = try tool("replay", "--session", id, "--check")
    #expect(check.status == 0)
    #expect(fixed(check.output, id) == "counter-sync ID: 3 versions are the same\n")
    _ = try service.stop()
    #expect(try tool("replay", "--session", id).output == replay.output)
  }

  @Test func `print it as lines of JSON`() throws {
    defer { remove() }
    let service = try serve()
    let session = try service.session("login")
    let client = try service.connect()
    _ = try client.post(#"{"passwordChanged":"hush"}"#, to: session)
    _ = try client.post(#"{"emailChanged":"a@b"}"#, to: session)
    let id = id(of: session)
    let replay = try tool("replay", "--session", id, "--format", "json")
    let rest = #""isRequestInFlight":false,"step":"credentials","alert":{"value":null,"pulse":0}}"#
    #expect(
      fixed(replay.output, id) == """
        {"version":1,"trace":[],"state":{"email":"","password":"","isFormValid":false,\(rest)}
        {"version":2,"time":"TIME","trace":[{"input":{"passwordChanged":{"_0":"••••"}}},\
        {"action":{"changePassword":{"_0":"••••"}}}],\
        "state":{"email":"","password":"••••","isFormValid":false,\(rest)}
        {"version":3,"time":"TIME","trace":[{"input":{"emailChanged":{"_0":"a@b"}}},\
        {"action":{"changeEmail":{"_0":"a@b"}}}],\
        "state":{"email":"a@b","password":"••••","isFormValid":true,\(rest)}

        """
    )
    let check = try tool("replay", "--session", id, "--check", "--format=json")
    #expect(check.status == 0)
    #expect(
      check.output == """
        {"version":2,"result":"skipped","reason":"an action held a secret, which is not stored"}
        {"result":"same","same":1,"skipped":1}

        """
    )
  }

  @Test func `go back beyond what the service itself would read`() throws {
    defer { remove() }
    let service = try serve()
    let session = try service.session("counter-sync")
    let client = try service.connect()
    for _ in 0..<70 { _ = try client.post(#""increase""#, to: session) }
    let id = id(of: session)
    let check = try tool("replay", "--session", id, "--check")
    #expect(check.status == 0)
    #expect(
      fixed(check.output, id) == """
        version 2 was not compared: the State before it is not kept any more
        counter-sync ID: 69 versions are the same, 1 not compared

        """
    )
    let replay = try tool("replay", "--session", id)
    #expect(replay.output.contains("\n\nwhat came before is not kept\n\nversion 2 "))
    _ = try service.stop()
    let other = folder + "/other"
    let document = folder + "/session.json"
    #expect(try tool("sessions export", "--session", id, "--output", document).status == 0)
    #expect(try run("sessions", "import", "--data", other, "--input", document).status == 0)
    let imported = try run("replay", "--data", other, "--session", id, "--check")
    #expect(fixed(imported.output, id) == "counter-sync ID: 69 versions are the same\n")
  }

  @Test func `say what cannot be checked, with 2`() throws {
    defer { remove() }
    let service = try serve()
    let id = id(of: try service.session("counter"))
    let check = try tool("replay", "--session", id, "--check")
    #expect(check.status == 2)
    #expect(
      check.errors == "uifusion: counter cannot be checked: "
        + "CounterViewModel waits and has effects in perform, which would run again\n"
    )
  }

  // MARK: list, show

  @Test func `list and show sessions, beside the service`() throws {
    defer { remove() }
    let service = try serve()
    #expect(try tool("sessions list").output == "no sessions in \(data)\n")
    #expect(try tool("sessions list", "--format", "json").output == "")
    let id = try counter(service)
    let list = try tool("sessions list")
    #expect(list.status == 0)
    #expect(
      list.output.firstMatch(of: /^ID +VIEW MODEL +VERSION +CREATED +USED +STATE +ENTRIES\n/) != nil
    )
    #expect(fixed(list.output, id).hasSuffix("\nID  counter-sync  4        TIME  TIME  64 B   3\n"))
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
        keys        1
        entries     3
        state       {"value":0,"isReset":true,"showAlert":{"value":null,"pulse":0}}

        """
    )
    let json = try tool("sessions show", "--session", id, "--format", "json")
    #expect(json.output.contains(#""parameters":null,"running":[],"keys":1,"entries":3,"state":{"#))
  }

  // MARK: export, import, delete

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
      again.errors == "uifusion: there is a session \(id) in \(other) already: "
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

  @Test func `delete a session once the service has stopped, and it answers 410`() throws {
    defer { remove() }
    let service = try serve()
    let id = try counter(service)
    let busy = try tool("sessions delete", "--session", id)
    #expect(busy.status == 1 && busy.errors.contains("another process serves"))
    _ = try service.stop()
    let delete = try tool("sessions delete", "--session", id)
    #expect(delete.status == 0)
    #expect(delete.output == "deleted \(id)\n")
    let again = try tool("sessions delete", "--session", id)
    #expect(again.status == 1)
    #expect(again.errors == "uifusion: there is no session \(id) in \(data)\n")
    let next = try serve()
    let client = try next.connect()
    client.request("GET /sessions/\(id)")
    #expect(try client.response()?.status == 410)
    #expect(try next.stop().status == 0)
  }

  @Test func `refuse what is no exported session`() throws {
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
      #expect(result.errors.hasPrefix("uifusion: \(document) is no exported session: "))
      #expect(result.errors.contains(fault), "\(result.errors)")
    }
    let missing = try tool("sessions import", "--input", folder + "/none")
    #expect(missing.status == 1)
    #expect(
      missing.errors == "uifusion: \(folder)/none cannot be read: No such file or directory\n"
    )
    #expect(!FileManager.default.fileExists(atPath: data))
  }

  // MARK: backup

  @Test func `back up what a service can be started with, while it runs`() throws {
    defer { remove() }
    let service = try serve()
    let id = try counter(service)
    let copy = folder + "/copy"
    let backup = try tool("sessions backup", "--output", copy)
    #expect(backup.status == 0)
    #expect(backup.output == "backed up to \(copy)\n")
    _ = try service.connect().post(#""increase""#, to: "/sessions/\(id)")
    let occupied = try tool("sessions backup", "--output", copy)
    #expect(occupied.status == 1)
    #expect(occupied.errors == "uifusion: there are sessions in \(copy) already\n")
    let itself = try tool("sessions backup", "--output", data)
    #expect(itself.status == 1)
    let restored = try ServiceProcess("--data", copy)
    let client = try restored.connect()
    client.request("GET /sessions/\(id)")
    #expect(try client.response()?.text.contains(#""version":4,"#) == true)
    #expect(try restored.stop().status == 0)
    #expect(try service.stop().status == 0)
  }

  // MARK: What is in the way

  @Test(arguments: [
    "replay --session AAAAAAAAAAAAAAAAAAAAAA", "sessions list",
    "sessions show --session AAAAAAAAAAAAAAAAAAAAAA",
    "sessions export --session AAAAAAAAAAAAAAAAAAAAAA",
    "sessions delete --session AAAAAAAAAAAAAAAAAAAAAA",
    "sessions backup --output /nowhere/backup",
  ])
  func `say that there is no store, and make none`(command: String) throws {
    let result = try tool(command)
    #expect(result.status == 1)
    #expect(
      result.errors
        == "uifusion: there are no sessions in \(data): name their folder with --data\n"
    )
    #expect(!FileManager.default.fileExists(atPath: data))
  }

  @Test func `say that there is no such session`() throws {
    defer { remove() }
    let service = try serve()
    let id = "AAAAAAAAAAAAAAAAAAAAAA"
    for command in ["replay", "sessions show", "sessions export"] {
      let result = try tool(command, "--session", id)
      #expect(result.status == 1)
      #expect(result.errors == "uifusion: there is no session \(id) in \(data)\n")
    }
    #expect(try service.stop().status == 0)
  }

  @Test func `name a damaged database, and leave it as it is`() throws {
    defer { remove() }
    let service = try serve()
    let id = try counter(service)
    _ = try service.stop()
    let file = data + "/sessions.sqlite"
    var bytes = try Data(contentsOf: URL(filePath: file))
    for place in 4096..<bytes.count { bytes[place] = 0xA5 }
    try bytes.write(to: URL(filePath: file))
    for command in [
      "sessions list", "replay --session \(id)", "sessions show --session \(id)",
      "sessions export --session \(id)", "sessions delete --session \(id)",
      "sessions backup --output \(folder)/copy",
    ] {
      let result = try tool(command)
      #expect(result.status == 1, "\(command)")
      #expect(result.errors.contains(file), "\(command): \(result.errors)")
      #expect(result.errors.contains("damaged"), "\(command): \(result.errors)")
      #expect(try Data(contentsOf: URL(filePath: file)) == bytes, "\(command)")
    }
    try Data("no database at all, but a text".utf8).write(to: URL(filePath: file))
    let text = try tool("sessions list")
    #expect(text.status == 1 && text.errors.contains(file))
  }

  @Test func `say where they cannot write`() throws {
    defer { remove() }
    let service = try serve()
    let id = try counter(service)
    let full = try run(
      "/bin/sh",
      [
        "-c", #""$0" sessions export --data "$1" --session "$2" > /dev/full"#, executable.path,
        data,
        id,
      ]
    )
    #expect(full.status == 1)
    #expect(
      full.errors == "uifusion: standard output cannot be written: No space left on device\n"
    )
    let file = try tool("sessions export", "--session", id, "--output", "/nowhere/session")
    #expect(file.status == 1 && file.errors.contains("/nowhere/session"))
    let backup = try tool("sessions backup", "--output", "/proc/nothing")
    #expect(backup.status == 1 && backup.errors.contains("/proc/nothing"))
  }
}
