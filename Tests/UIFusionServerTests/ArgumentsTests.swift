import Testing
import UIFusionTools

@testable import UIFusionServer

struct `The command line` {
  private let parser = CommandParser(.all)

  private func configuration(
    _ arguments: [String],
    _ environment: [String: String] = [:]
  ) throws -> Configuration {
    let command = try parser.command(arguments, environment: environment)
    return try #require(command as? ServeCommand).configuration
  }

  private func complaint(
    _ arguments: [String],
    _ environment: [String: String] = [:]
  ) -> String? {
    do throws(UsageError) {
      _ = try parser.command(arguments, environment: environment)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `serves with the defaults of the contract`() throws {
    let configuration = try configuration(["serve"])
    #expect(configuration.host == "127.0.0.1")
    #expect(configuration.port == 8080)
    #expect(configuration.threads == 0)
    #expect(configuration.publicFolder == "Public")
    #expect(configuration.sessionTTL == .seconds(1800))
    #expect(configuration.heartbeat == .seconds(15))
    #expect(configuration.drain == .seconds(8))
    #expect(configuration.drainDelay == .zero)
    #expect(configuration.maxBody == 65_536)
    #expect(configuration.maxQueuedInputs == 256)
    #expect(configuration.maxHistory == 256 << 20)
    #expect(configuration.lockWait == .seconds(10))
    #expect(configuration.maxSessions == 100_000)
    #expect(configuration.maxStreams == 10_000)
    #expect(configuration.maxConnections == 20_000)
    #expect(configuration.logFormat == .text)
  }

  @Test func `takes values after a blank or an equals sign`() throws {
    #expect(try configuration(["serve", "--port", "9000"]).port == 9000)
    #expect(try configuration(["serve", "--port=9000"]).port == 9000)
    #expect(try configuration(["serve", "--heartbeat", "0.5"]).heartbeat == .milliseconds(500))
    #expect(try configuration(["serve", "--log=json", "--data=memory"]).logFormat == .json)
  }

  @Test func `takes the environment, over which a flag wins`() throws {
    let environment = ["UIFUSION_MAX_BODY": "10", "UIFUSION_PORT": "7000"]
    #expect(try configuration(["serve"], environment).maxBody == 10)
    #expect(try configuration(["serve", "--port", "9000"], environment).port == 9000)
  }

  @Test func `takes a list from several flags, or from one variable with commas`() throws {
    let arguments = ["serve", "--allow-origin", "HTTPS://A.example", "--allow-origin=http://b:81"]
    let environment = [
      "UIFUSION_ALLOW_ORIGIN": "https://c", "UIFUSION_ALLOW_HOST": "a.example, ::1,b:80",
    ]
    let configuration = try configuration(arguments, environment)
    #expect(configuration.allowOrigins == ["https://a.example", "http://b:81"])
    #expect(configuration.allowHosts == ["a.example", "[::1]", "b:80"])
  }

  @Test func `asks for health where the service would be`() throws {
    let arguments = ["health", "--port", "9000"]
    let command = try parser.command(arguments, environment: ["UIFUSION_HOST": "::"])
    let configuration = try #require(command as? HealthCommand).configuration
    #expect((configuration.host, configuration.port) == ("::", 9000))
  }

  @Test(arguments: [
    ([], "say what to do: uifusion serve"),
    (["srve"], "there is no command srve: uifusion --help lists them"),
    (["serve", "--prot", "1"], "unknown flag --prot: did you mean --port?"),
    (["serve", "--prot=1"], "unknown flag --prot: did you mean --port?"),
    (["serve", "--frobnicate"], "unknown flag --frobnicate: uifusion --help lists them"),
    (["serve", "8080"], "8080 is no flag: flags start with --, and uifusion --help lists them"),
    (["serve", "--port"], "--port needs a value: --port PORT"),
    (["serve", "--port", "x"], "--port must be a whole number from 0 to 65535, not x"),
    (["serve", "--port", "65536"], "--port must be a whole number from 0 to 65535, not 65536"),
    (["serve", "--port="], "--port must be a whole number from 0 to 65535, not empty"),
    (
      ["serve", "--drain", "-1"], "--drain must be a number of seconds from 0 to 1000000000, not -1"
    ),
    (
      ["serve", "--drain", "nan"],
      "--drain must be a number of seconds from 0 to 1000000000, not nan"
    ),
    (["serve", "--log", "xml"], "--log must be one of text, json, not xml"),
    (["serve", "--data", ""], "--data must be a folder, or memory, not empty"),
    (["serve", "--durability", "some"], "--durability must be one of full, relaxed, not some"),
    (
      ["serve", "--allow-origin", "*"],
      "--allow-origin must be an origin such as https://example.org, not *"
    ),
    (
      ["serve", "--allow-host", "a", "--allow-host", "http://a"],
      "--allow-host must be a host such as example.org or example.org:8080, not a,http://a"
    ),
    (["sessions"], "say what to do: uifusion sessions list|show|export|import|delete|backup"),
    (
      ["sessions", "--data", "x"],
      "say what to do: uifusion sessions list|show|export|import|delete|backup"
    ),
    (["sessions", "lst"], "there is no command sessions lst: did you mean list?"),
    (
      ["sessions", "frobnicate"],
      "there is no command sessions frobnicate: list, show, export, import, delete, backup"
    ),
    (["replay"], "say which session: --session ID"),
    (["replay", "--chek"], "unknown flag --chek: did you mean --check?"),
    (["replay", "--check=yes"], "--check takes no value"),
    (
      ["replay", "--session", "x"],
      "--session must be a session's id, of 22 letters, digits, - and _, not x"
    ),
    (["sessions", "list", "--data", "memory"], "--data must be a folder, not memory"),
    (["sessions", "list", "--format", "xml"], "--format must be one of text, json, not xml"),
    (["sessions", "backup"], "say where to: --output FOLDER"),
    (["health", "--data", "memory"], "unknown flag --data: uifusion --help lists them"),
  ])
  func `says what is wrong with it`(arguments: [String], text: String) {
    #expect(complaint(arguments) == text)
  }

  @Test func `has the tools only where the program asks for them`() throws {
    #expect(throws: UsageError.self) {
      try CommandParser().command(["sessions", "list"], environment: [:])
    }
    let help = try #require(CommandParser().command(["help"], environment: [:]) as? HelpCommand)
    #expect(!help.text.contains("uifusion sessions"))
    #expect(help.text.contains("\nuifusion serve [flags] "))
  }

  @Test(arguments: ["serve", "health"] + UIFusionCommand.Tools.all.commands.map { $0.name })
  func `explains every command`(name: String) throws {
    let help = try help()
    #expect(help.contains("\nuifusion \(name) [flags] "))
    #expect(help.contains("\nFlags of \(name):\n  --"))
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  private func help() throws -> String {
    let command = try parser.command(["serve", "--help"], environment: [:])
    return try #require(command as? HelpCommand).text
  }

  @Test func `names the environment variable that is wrong`() {
    #expect(
      complaint(["serve"], ["UIFUSION_PORT": "x"])
        == "UIFUSION_PORT must be a whole number from 0 to 65535, not x"
    )
  }

  @Test(arguments: Flag<Configuration>.all.map(\.name))
  func `explains every flag with its default`(name: String) throws {
    let flag = try #require(Flag<Configuration>.all.first { $0.name == name })
    let line = try #require(
      help().split(separator: "\n").first { $0.hasPrefix("  --\(name) ") }
    )
    #expect(line.hasSuffix("(\(flag.defaultValue))"))
    #expect(line.count <= 100)
    var configuration = Configuration()
    // The default of a list is a rule, not a value.
    if !flag.isRepeatable { try flag.set(flag.defaultValue, &configuration) }
  }
}

struct `The log` {
  @Test func `cuts whatever could be a session's id`() {
    #expect(
      withoutSessionIDs("for `/sessions/O7vHxUbFUp08lBWxUgJBqw/events' at 2026-11-20")
        == "for `/sessions/O7vHxU…/events' at 2026-11-20"
    )
    #expect(withoutSessionIDs("O7vHxUbFUp08lBWxUgJBqw") == "O7vHxU…")
  }

  private func line(_ format: LogFormat, _ emit: (Log) -> Void) -> String {
    let lines = Lines()
    emit(Log(format: format, level: .info, write: { lines.add($0) }))
    return lines.text
  }

  @Test func `is one line of text for each event`() {
    let line = line(.text) { $0.info("started", ("port", "80"), ("name", "a b\n\"c")) }
    #expect(line.hasSuffix(" info started port=80 name=\"a b\\n\\\"c\"\n"))
    #expect(line.contains(#/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z /#))
  }

  @Test func `is one line of JSON for each event`() {
    let line = line(.json) { $0.error("failed", ("why", "x\ny")) }
    #expect(line.hasSuffix(#","level":"error","message":"failed","why":"x\ny"}"# + "\n"))
    #expect(line.hasPrefix(#"{"time":"20"#))
  }

  @Test func `leaves out what matters less than its level`() {
    #expect(line(.text) { $0.debug("x") } == "")
  }
}
