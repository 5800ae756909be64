import Foundation
import FusionCommandLine
import Testing

@testable import FusionDoctor
@testable import UIFusionServer
@testable import UIFusionTools

struct `The command line` {
  private let parser = CommandParser(.all, program: "shop")
  /// The commands that may follow `shop sessions`.
  private static let words = UIFusionCommand.Tools.all.commands.map { $0.name }
    .filter { $0.hasPrefix("sessions ") }.map { String($0.dropFirst("sessions ".count)) }

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
    #expect(configuration.wakeInterrupted)
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

  @Test func `takes values after a space or an equals sign`() throws {
    #expect(try configuration(["serve", "--port", "9000"]).port == 9000)
    #expect(try configuration(["serve", "--port=9000"]).port == 9000)
    #expect(try configuration(["serve", "--heartbeat", "0.5"]).heartbeat == .milliseconds(500))
    #expect(try configuration(["serve", "--log=json", "--data=memory"]).logFormat == .json)
  }

  @Test func `serves if it begins with a flag`() throws {
    #expect(try configuration(["--port", "9000"]).port == 9000)
    #expect(try configuration(["--port=9000", "--data", "memory"]).port == 9000)
    #expect(try parser.command(["--version"], environment: [:]) is VersionCommand)
    for arguments in [["--help"], ["-h"], ["--port", "9000", "--help"]] {
      #expect(try parser.command(arguments, environment: [:]) is HelpCommand)
    }
  }

  @Test(arguments: [
    ("shop", "shop"), ("/usr/bin/shop", "shop"), (".build/debug/shop", "shop"), ("./a b", "a b"),
    ("", "uifusion"), (nil, "uifusion"),
  ])
  func `calls the program by the name of its file`(path: String?, name: String) {
    #expect(UIFusionCommand.programName(path: path) == name)
  }

  @Test func `takes values from the environment, which flags override`() throws {
    let environment = ["UIFUSION_MAX_BODY": "10", "UIFUSION_PORT": "7000"]
    #expect(try configuration(["serve"], environment).maxBody == 10)
    #expect(try configuration(["serve", "--port", "9000"], environment).port == 9000)
  }

  @Test func `takes on and off`() throws {
    #expect(try !configuration(["serve", "--wake-interrupted", "off"]).wakeInterrupted)
    let environment = ["UIFUSION_WAKE_INTERRUPTED": "off"]
    #expect(try !configuration(["serve"], environment).wakeInterrupted)
    #expect(try configuration(["serve", "--wake-interrupted=on"], environment).wakeInterrupted)
  }

  @Test func `takes a list from repeated flags or a comma-separated variable`() throws {
    let arguments = ["serve", "--allow-origin", "HTTPS://A.example", "--allow-origin=http://b:81"]
    let environment = [
      "UIFUSION_ALLOW_ORIGIN": "https://c", "UIFUSION_ALLOW_HOST": "a.example, ::1,b:80",
    ]
    let configuration = try configuration(arguments, environment)
    #expect(configuration.allowOrigins == ["https://a.example", "http://b:81"])
    #expect(configuration.allowHosts == ["a.example", "[::1]", "b:80"])
  }

  @Test func `takes directives of the Content-Security-Policy`() throws {
    let flags = [
      "serve", "--csp", "img-src https://a.example", "--csp", "font-src b.example data:",
    ]
    #expect(
      try configuration(flags).contentSecurityPolicy
        == ["img-src https://a.example", "font-src b.example data:"]
    )
    let environment = ["UIFUSION_CSP": "img-src a.example,font-src b.example"]
    #expect(
      try configuration(["serve"], environment).contentSecurityPolicy
        == ["img-src a.example", "font-src b.example"]
    )
  }

  @Test func `checks health at the address of the service`() throws {
    let arguments = ["health", "--port", "9000"]
    let command = try parser.command(arguments, environment: ["UIFUSION_HOST": "::"])
    let configuration = try #require(command as? HealthCommand).configuration
    #expect((configuration.host, configuration.port) == ("::", 9000))
    #expect(configuration.adminPort == nil)
    let variable = ["UIFUSION_ADMIN_PORT": "9001"]
    let other = try parser.command(["health"], environment: variable) as? HealthCommand
    #expect(other?.configuration.adminPort == 9001)
  }

  /// Not a literal in the macro: the compiler would need seconds to infer its type.
  private static let complaints: [(arguments: [String], text: String)] = [
    ([], "say what to do: shop serve"),
    (["srve"], "unknown command srve: see shop --help"),
    (["serve", "--prot", "1"], "unknown flag --prot: did you mean --port?"),
    (["serve", "--prot=1"], "unknown flag --prot: did you mean --port?"),
    (["serve", "--frobnicate"], "unknown flag --frobnicate: see shop --help"),
    (["--prot", "1"], "unknown flag --prot: did you mean --port?"),
    (["-p"], "unknown flag -p: see shop --help"),
    (["serve", "8080"], "8080 is not a flag: flags start with --, see shop --help"),
    (["serve", "--port"], "--port needs a value: --port PORT"),
    (["serve", "--port", "x"], "--port must be a whole number from 0 to 65535, not x"),
    (["serve", "--port", "65536"], "--port must be a whole number from 0 to 65535, not 65536"),
    (
      ["serve", "--admin-port", "x"],
      "--admin-port must be none or a whole number from 0 to 65535, not x"
    ),
    (["serve", "--port="], "--port must be a whole number from 0 to 65535, not empty"),
    (
      ["serve", "--drain", "-1"], "--drain must be a number of seconds from 0 to 1000000000, not -1"
    ),
    (
      ["serve", "--drain", "nan"],
      "--drain must be a number of seconds from 0 to 1000000000, not nan"
    ),
    (["serve", "--log", "xml"], "--log must be one of text, json, not xml"),
    (
      ["serve", "--wake-interrupted", "yes"], "--wake-interrupted must be one of on, off, not yes"
    ),
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
    (["sessions"], "say what to do: shop sessions " + words.joined(separator: "|")),
    (
      ["serve", "--csp", "script-src 'unsafe-inline'"],
      "--csp must be a directive with sources such as img-src https://cdn.example.org, none of them "
        + "unsafe, not script-src 'unsafe-inline'"
    ),
    (
      ["sessions", "--data", "x"],
      "say what to do: shop sessions " + words.joined(separator: "|")
    ),
    (["sessions", "lst"], "unknown command sessions lst: did you mean list?"),
    (
      ["sessions", "frobnicate"],
      "unknown command sessions frobnicate: " + words.joined(separator: ", ")
    ),
    (["replay"], "say which session: --session ID"),
    (["replay", "--chek"], "unknown flag --chek: did you mean --check?"),
    (["replay", "--check=yes"], "--check takes no value"),
    (
      ["replay", "--session", "x"],
      "--session must be a session's id, of 22 letters, digits, - and _, not x"
    ),
    (
      ["sessions", "list", "--data", "memory"],
      "--data must be a folder, or postgres://…, not memory"
    ),
    (["sessions", "list", "--format", "xml"], "--format must be one of text, json, not xml"),
    (["new"], "name the package: new NAME"),
    (["new", "--path", "x"], "name the package: new NAME"),
    (["new", "9lives"], "NAME must be \(PackageName.rule), not 9lives"),
    (["new", "a", "b"], "b is not a flag: flags start with --, see shop --help"),
    (["doctor"], "say what to examine: doctor URL"),
    (["doctor", "example.org"], "URL must be \(ServiceURL.rule), not example.org"),
    (["sessions", "backup"], "name the new folder: --output FOLDER"),
    (["health", "--data", "memory"], "unknown flag --data: see shop --help"),
  ]

  @Test(arguments: complaints)
  func `is refused with a message that says what is wrong`(arguments: [String], text: String) {
    #expect(complaint(arguments) == text)
  }

  @Test func `has the tools only if the program enables them`() throws {
    #expect(throws: UsageError.self) {
      try CommandParser(program: "shop").command(["sessions", "list"], environment: [:])
    }
    let command = try CommandParser(program: "shop").command(["help"], environment: [:])
    let help = try #require(command as? HelpCommand)
    #expect(!help.text.contains("shop sessions"))
    #expect(help.text.contains("\nshop serve [flags] "))
  }

  @Test(arguments: ["serve", "health"] + UIFusionCommand.Tools.all.commands.map { $0.name })
  func `explains every command`(name: String) throws {
    let help = try help()
    let operand = ["new": " NAME", "doctor": " URL", "run": " FILE"][name] ?? ""
    #expect(help.contains("\nshop \(name)\(operand) [flags] "))
    #expect(help.contains("\nFlags of \(name):\n  --"))
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  private func help() throws -> String {
    let command = try parser.command(["--help"], environment: [:])
    return try #require(command as? HelpCommand).text
  }

  @Test(arguments: [
    ["new", "--help"], ["help", "new"], ["new", "shop", "-h"], ["new", "--path", "a", "--help"],
  ])
  func `explains a single command by name`(arguments: [String]) throws {
    let command = try parser.command(arguments, environment: [:])
    let text = try #require(command as? HelpCommand).text
    #expect(text.hasPrefix("shop new NAME [flags] "))
    #expect(text.contains("\nFlags of new:\n  --path DIR"))
    #expect(!text.contains("serve"))
    let list = try parser.command(["sessions", "list", "--help"], environment: [:])
    #expect(try #require(list as? HelpCommand).text.hasPrefix("shop sessions list [flags] "))
  }

  @Test func `names the environment variable that is wrong`() {
    #expect(
      complaint(["serve"], ["UIFUSION_PORT": "x"])
        == "UIFUSION_PORT must be a whole number from 0 to 65535, not x"
    )
  }

  @Test func `shows a default of less than a second`() {
    struct Settings: FlagSettings { var pause = Duration.milliseconds(500) }
    #expect(Flag<Settings>("pause", "", \.pause).defaultValue == "0.5")
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
    // The defaults of lists and of --history-days are described, not values.
    if !flag.isRepeatable, name != "history-days" {
      try flag.set(flag.defaultValue, &configuration)
    }
  }
}
