import FusionSessions
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

@testable import UIFusionTools

/// Asks a session that refuses, and keeps why.
private struct Petitioner: ReducerViewModel {
  enum Input: Codable, Sendable { case ask }
  enum Action: Codable, Sendable { case ask, refused }
  struct State: Codable, Equatable, Sendable { var reason = "" }

  var state = State()

  func transform(_ input: Input) -> [Action] { [.ask] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .ask: return [.send(Input.ask, to: .id("office"), ifRefused: .refused)]
    case .refused: state.reason = InputSender.refusal ?? "unknown"
    }
    return []
  }
}

@Suite struct `A check of a refused message` {
  @Test func `performs its action with the reason, which the history tells`() async throws {
    var catalog = ViewModelCatalog()
    catalog.host("petitioner", summary: "") { _ in Petitioner() }
    let past = try Past(catalog)
    past.refuseMessages(because: "The office is closed.")
    try await past.send(#""ask""#)
    await past.clock.advance(by: .seconds(1))
    let history = try SessionHistory(past.stored, log: [])
    #expect(
      String(decoding: history.state, as: UTF8.self) == #"{"reason":"The office is closed."}"#
    )
    let check = try await past.check(with: catalog)
    #expect(check.faults.isEmpty && check.skipped.isEmpty && check.agreeing == 1)
    let report = ReplayReport(history: history).text
    #expect(report.contains(#""refused" as refused: The office is closed."# + "\n"), "\(report)")
  }
}
