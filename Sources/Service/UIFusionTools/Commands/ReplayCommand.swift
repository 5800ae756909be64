import FusionCommandLine
import FusionSQLiteSessions
import FusionSessions
import UIFusionKit
import UIFusionServer

/// Prints a session's Inputs, actions and States, replays the actions, or plays a scenario.
struct ReplayCommand: Command {
  static let name = "replay"
  static let summary = "print the trace of each State; with --check, replay it"
  static var flags: [Flag<Self>] {
    [
      .store(\.store), .session(\.session),
      Flag("format", "format of the output; json prints one object a line", \.format),
      Flag(
        "input",
        "FILE",
        "scenario to play; exit 1 at the first State that does not come",
        \.input
      ),
      Flag("check", "replay the actions; exit 1 if any State differs", \.checks),
    ]
  }

  var store = StoreLocation()
  var session: SessionID?
  var format = OutputFormat.text
  var input: String?
  var checks = false

  func validate() throws(UsageError) {
    if input != nil, checks || session != nil {
      throw UsageError("--input plays a scenario: leave out --session and --check")
    }
    if checks, session == nil {
      throw UsageError("say which session: --session ID; deploy check checks all")
    }
    if input == nil { _ = try session.given() }
  }

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    if let input { return try await play(input, catalog, dependencies) }
    let history = try store.history(of: session.given())
    guard checks else {
      let report = ReplayReport(history: history)
      try show(format == .text ? report.text : report.jsonLines)
      return 0
    }
    return try await report(try await check(history, catalog, dependencies), of: history)
  }

  private func play(
    _ input: String,
    _ catalog: ViewModelCatalog,
    _ dependencies: Dependencies
  ) async throws -> Int32 {
    do {
      let scenario = try Scenario(try Files.readText(input))
      let name = scenario.viewModel
      guard let viewModel = catalog.viewModels.first(where: { $0.name == name }) else {
        throw CommandError("no view model \(name) is hosted")
      }
      let play = try await ScenarioPlay(scenario, on: viewModel, dependencies)
      try show(format == .text ? play.text : play.jsonLine)
      return play.fault == nil ? 0 : 1
    } catch let error as CommandError {
      throw error
    } catch {
      throw CommandError("\(input) cannot be played: \(error)")
    }
  }

  private func report(_ check: StateCheck, of history: SessionHistory) async throws -> Int32 {
    let report = CheckReport(history: history, check: check)
    try show(format == .text ? report.text : report.jsonLines)
    return check.faults.isEmpty ? 0 : 1
  }

  private func check(
    _ history: SessionHistory,
    _ catalog: ViewModelCatalog,
    _ dependencies: Dependencies
  ) async throws -> StateCheck {
    let name = history.session.viewModel
    guard let viewModel = catalog.viewModels.first(where: { $0.name == name }) else {
      throw UsageError("\(name) cannot be checked: no view model of that name is hosted")
    }
    do {
      return try await StateCheck(history, dependencies) {
        try viewModel.replay(history.session.parameters, $0)
      }
    } catch {
      throw UsageError("\(name) cannot be checked: \(error)")
    }
  }
}
