import FusionSessions
import UIFusionKit
import UIFusionServer

/// Prints a session's Inputs, actions and States, or does the actions again.
struct ReplayCommand: Command {
  static let name = "replay"
  static let summary = "print what led to each State; with --check, do it again"
  static var flags: [Flag<Self>] {
    [
      .folder(\.folder), .session(\.session),
      Flag("format", "how it is printed; json is an object a line", \.format),
      Flag(
        "check",
        "do the actions again, and exit 1 at the first State that differs",
        \.checks
      ),
    ]
  }

  var folder = StoreFolder()
  var session: SessionID?
  var format = OutputFormat.text
  var checks = false

  func validate() throws(UsageError) { _ = try session.given() }

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    let history = try folder.history(of: session.given())
    guard checks else {
      let report = ReplayReport(history: history)
      try Files.write(Array((format == .text ? report.text : report.jsonLines).utf8))
      return 0
    }
    let check = try await check(history, catalog, dependencies)
    let report = CheckReport(history: history, check: check)
    try Files.write(Array((format == .text ? report.text : report.jsonLines).utf8))
    return check.fault == nil ? 0 : 1
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
      return try await StateCheck(history) {
        try viewModel.replay(history.session.parameters, dependencies.forReplay)
      }
    } catch {
      throw UsageError("\(name) cannot be checked: \(error)")
    }
  }
}
