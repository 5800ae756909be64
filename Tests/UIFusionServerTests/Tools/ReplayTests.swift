import FoundationEssentials
import FusionRawHTTP
import Testing

extension `The tools` {
  @Test func `print each State with its trace while the service runs`() throws {
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
          input     "increase"
          action    "increaseValue"
          state     value: 0 → 1

        version 3  TIME
          input     "increase"
          action    "increaseValue"
          state     value: 1 → 2

        version 4  TIME
          input     "reset"
          action    "resetValue"
          state     value: 2 → 0
                    isReset: false → true

        """
    )
    let check = try tool("replay", "--session", id, "--check")
    #expect(check.status == 0)
    #expect(fixed(check.output, id) == "counter-sync ID: 3 versions are the same\n")
    _ = try service.stop()
    #expect(try tool("replay", "--session", id).output == replay.output)
  }

  @Test func `print States and traces as lines of JSON`() throws {
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
        {"viewModel":"login","version":1,"trace":[],"state":{"email":"","password":"","isFormValid":false,\(rest)}
        {"version":2,"time":"TIME","trace":[{"input":{"passwordChanged":"••••"}},\
        {"action":{"changePassword":"••••"}}],\
        "state":{"email":"","password":"••••","isFormValid":false,\(rest)}
        {"version":3,"time":"TIME","trace":[{"input":{"emailChanged":"a@b"}},\
        {"action":{"changeEmail":"a@b"}}],\
        "state":{"email":"a@b","password":"••••","isFormValid":true,\(rest)}

        """
    )
    let check = try tool("replay", "--session", id, "--check", "--format=json")
    #expect(check.status == 0)
    #expect(
      check.output == """
        {"version":2,"result":"skipped","reason":"an action held a secret or private value, which a trace does not keep"}
        {"result":"same","same":1,"skipped":1}

        """
    )
  }

  @Test func `play a printed scenario again, and report differences`() throws {
    defer { remove() }
    let service = try serve()
    let id = try counter(service)
    let lines = try tool("replay", "--session", id, "--format", "json").output
    _ = try service.stop()
    let file = folder + "/scenario"
    func play(_ scenario: String, _ arguments: String...) throws -> (String, Int32) {
      try scenario.write(toFile: file, atomically: true, encoding: .utf8)
      let played = try run(executable.path, ["replay", "--input", file] + arguments)
      return (played.output + played.errors.replacing(file, with: "FILE"), played.status)
    }
    #expect(try play(lines) == ("4 States came as in the scenario\n", 0))
    #expect(try play(lines, "--format=json") == (#"{"result":"same","same":4}"# + "\n", 0))
    // From a later version on, a scenario begins with its State.
    let later = lines.split(separator: "\n").dropFirst()
      .joined(separator: "\n").replacing(
        #"{"version":2"#,
        with: #"{"viewModel":"counter-sync","version":2"#
      )
      .replacing(
        #""trace":[{"input":"increase"},{"action":"increaseValue"}],"state":{"value":1"#,
        with: #""trace":[],"state":{"value":1"#
      )
    #expect(try play(later) == ("3 States came as in the scenario\n", 0))
    // An Input of the service's own, which clients may not send.
    let served = #"{"input":{"presence":{"kind":"left","visitors":[]}}}"#
    let chat =
      #"{"viewModel":"chat","version":1,"trace":[\#(served)],"state":{"isConnected":false,"#
      + #""status":"","messages":[],"activeAlert":null,"people":[]}}"#
    #expect(try play(chat) == ("1 State came as in the scenario\n", 0))
    let wrong = lines.replacing(#""state":{"value":2"#, with: #""state":{"value":7"#)
    let (text, status) = try play(wrong)
    #expect(status == 1 && text.hasPrefix("line 3: this State did not come"))
    #expect(text.contains("  value: 7 → 2\nbefore it 2 States came\n"))
    #expect(
      try play("{}") == (
        "uifusion: FILE cannot be played: line 1: trace must be an array of objects\n", 1
      )
    )
    #expect(
      try play(lines.replacing("counter-sync", with: "gone")) == (
        "uifusion: no view model gone is hosted\n", 1
      )
    )
    let unknown = try play(lines.replacing(#"{"input":"reset"}"#, with: #"{"input":"leap"}"#))
    #expect(unknown.1 == 1 && unknown.0.contains("cannot be played: line 4: there is no case"))
    #expect(try run("replay", "--input", file, "--check").status == 2)
  }

  @Test func `read older history than the service itself`() throws {
    defer { remove() }
    let service = try serve("--history-days", "0")
    let session = try service.session("counter-sync")
    let client = try service.connect()
    for _ in 0..<70 { _ = try client.post(#""increase""#, to: session) }
    let id = id(of: session)
    let check = try tool("replay", "--session", id, "--check")
    #expect(check.status == 0)
    #expect(
      fixed(check.output, id) == """
        version 2 was not compared: the State before it is no longer kept
        counter-sync ID: 69 versions are the same, 1 not compared

        """
    )
    let replay = try tool("replay", "--session", id)
    #expect(replay.output.contains("\n\nearlier entries are no longer kept\n\nversion 2 "))
    _ = try service.stop()
    let other = folder + "/other"
    let document = folder + "/session.json"
    #expect(try tool("sessions export", "--session", id, "--output", document).status == 0)
    #expect(try run("sessions", "import", "--data", other, "--input", document).status == 0)
    let imported = try run("replay", "--data", other, "--session", id, "--check")
    #expect(fixed(imported.output, id) == "counter-sync ID: 69 versions are the same\n")
  }

  @Test func `lead to the check of all sessions if none is named`() throws {
    let check = try tool("replay", "--check")
    #expect(check.status == 2)
    #expect(
      check.errors == "uifusion: say which session: --session ID; deploy check checks all\n"
    )
  }

  @Test func `report what cannot be checked, and exit with 2`() throws {
    defer { remove() }
    let service = try serve()
    let id = id(of: try service.session("counter"))
    let check = try tool("replay", "--session", id, "--check")
    #expect(check.status == 2)
    #expect(
      check.errors == "uifusion: counter cannot be checked: "
        + "CounterViewModel waits and has effects in perform, which a replay would repeat\n"
    )
  }
}
