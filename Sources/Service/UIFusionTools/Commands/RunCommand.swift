import FusionCommandLine
import FusionDoctor
import FusionHTTPMessages
import FusionStrictJSON
import Glibc
import UIFusionKit
import UIFusionServer

/// Runs a scenario against a service: once as a check, or many times at once as a load.
///
/// Records a scenario, too.
struct RunCommand: Command {
  static let name = "run"
  static let summary = "run a scenario against a service: a check or a load"
  static var operand: Operand<Self>? {
    Operand("FILE") { (text, command) throws(BadValue) in command.file = text }
  }
  static var flags: [Flag<Self>] {
    [
      Flag(
        "url",
        "URL",
        "the service",
        \.url,
        defaultValue: "http://127.0.0.1:8080",
        expected: ServiceURL.rule
      ) { ServiceURL($0).map(Optional.some) },
      Flag("people", "FILE", "JSON object: the header field of each person of the steps", \.people),
      Flag("format", "format of the report of a check", \.format),
      Flag("limit", "time for what a step waits for, if it has no within", \.limit, atLeast: 0.001),
      Flag("restart", "COMMAND", "shell command for steps that restart the service", \.restart),
      Flag("keep", "leave the session there, and print its id", \.keepsSession),
      Flag("rate", "N", "Inputs a second: runs the scenario as a load", \.rate, 1...1_000_000),
      Flag("seconds", "how long the load lasts", \.duration, atLeast: 0.001),
      Flag("sessions", "N", "sessions at once under load", \.sessions, 1...10_000),
      Flag("record", "ID", "print a scenario of what has happened to a session", \.recorded),
      Flag("as", "NAME", "person of --people to whom the recorded session belongs", \.person),
    ]
  }

  var file: String?
  var url: ServiceURL?
  var people: String?
  var format = RunReport.Format.text
  var limit = Duration.seconds(10)
  var restart: String?
  var keepsSession = false
  var rate: Int?
  var duration = Duration.seconds(10)
  var sessions = 16
  var recorded: String?
  var person: String?

  func validate() throws(UsageError) {
    guard recorded == nil || file == nil else {
      throw UsageError("--record prints a scenario: leave out the file")
    }
    guard recorded != nil || file != nil else {
      throw UsageError("say which scenario: run FILE; /dev/stdin is one, too")
    }
    if person != nil, recorded == nil { throw UsageError("--as is for --record") }
    if rate != nil, keepsSession || format != .text {
      throw UsageError("--rate runs a load: leave out --keep and --format")
    }
  }

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    // A reader of the report that goes must not keep the session from being deleted.
    signal(SIGPIPE, SIG_IGN)
    let people = try people.map { (file) throws(UsageError) in try Self.people(in: file) } ?? [:]
    guard let url = url ?? .local,
      let service = ScenarioService(url, people: people, time: dependencies.time)
    else {
      throw CommandError("cannot open connections: \(systemError())")
    }
    if let recorded { return try await record(recorded, service) }
    let name = file ?? ""
    let scenario = try ScenarioFile(try Files.readText(name))
    let missing = scenario.people.subtracting(people.keys).sorted()
    guard missing.isEmpty else {
      throw UsageError("say who \(missing.joined(separator: " and ")) is: --people FILE")
    }
    var run = ScenarioRun(steps: scenario.steps, service: service)
    (run.limit, run.restart, run.keepsSession) = (limit, restart, keepsSession)
    if let rate {
      try scenario.validateForLoad()
      try raiseFileLimit(for: sessions)
      let load = LoadRun(run: run, rate: rate, duration: duration, sessions: sessions)
      let report = await load()
      try show(report.text)
      return report.failures.isEmpty && report.isWhole ? 0 : 1
    }
    var report = RunReport(name, scenario.steps.count, format)
    try show(report.head)
    let id = try await run { try show(report.add($0)) }
    try show(report.tail)
    if keepsSession, let id { writeToStandardError(Array("session \(id)\n".utf8)) }
    return report.hasFailed ? 1 : 0
  }

  /// Allows a connection for each session's stream, and one for its requests.
  private func raiseFileLimit(for sessions: Int) throws(CommandError) {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let most = (Int(clamping: limit.rlim_cur) - 64) / 2
    guard sessions <= most else {
      throw CommandError("the open-file limit allows --sessions \(max(0, most)): see ulimit -n")
    }
  }

  private func record(_ id: String, _ service: ScenarioService) async throws -> Int32 {
    let scenario: RecordedScenario
    do throws(StepFailure) {
      scenario = try await RecordedScenario(id, as: person, service)
    } catch {
      throw CommandError("session \(id) cannot be recorded: \(error.lines.joined(separator: "; "))")
    }
    try Files.write(Array(scenario.text.utf8))
    return 0
  }

  /// Reads `{"ada": "Authorization: Bearer …"}`.
  private static func people(
    in file: String
  ) throws(UsageError) -> [String: HTTPHeaders.Field] {
    let rule =
      "must be {\"NAME\": \"FIELD: VALUE\"}, such as {\"ada\": \"Authorization: Bearer …\"}"
    let text: [UInt8]
    do throws(CommandError) { text = try Files.readText(file) } catch {
      throw UsageError("\(error)")
    }
    guard let root = try? JSONDocument(text).root, root.kind == .object else {
      throw UsageError("\(file) \(rule)")
    }
    var people: [String: HTTPHeaders.Field] = [:]
    for (name, value) in root.members {
      guard let match = value.string?.wholeMatch(of: /([A-Za-z0-9!#$%&'*+.^_`|~-]+): *([^\r\n]*)/)
      else {
        throw UsageError("\(file): \(name) \(rule)")
      }
      people[name] = .init(name: String(match.output.1), value: String(match.output.2))
    }
    return people
  }
}
