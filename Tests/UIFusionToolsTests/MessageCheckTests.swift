import FusionSessions
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

@testable import UIFusionTools

/// Keeps the sessions that sit in it, and the number of requests.
private struct Hall: ReducerViewModel {
  enum Input: Codable, Sendable { case sit, leave, rename(String) }
  struct State: Codable, Equatable, Sendable {
    var name = ""
    var requests = 0
    @Private var seats: [String] = []
  }

  var state = State()

  func transform(_ input: Input) -> [Input] { [input] }

  func reduce(state: inout State, action: Input) -> [AsyncEffect<Input>] {
    state.requests += 1
    switch action {
    case .sit: state.seats += [InputSender.session].compactMap(\.self)
    case .rename(let name): state.name = name
    case .leave: state.seats.removeAll { $0 == InputSender.session }
    }
    return []
  }
}

@Suite struct `A check of a session's message` {
  @Test func `performs its actions as the session that sent it`() async throws {
    var catalog = ViewModelCatalog()
    catalog.host("hall", summary: "") { _ in Hall() }
    let past = try Past(catalog)
    let (ada, bob) = (SessionID(high: 7 << 60, low: 1), SessionID(high: 8 << 60, low: 1))
    try await past.send(#""sit""#, of: ada)
    try await past.send(#""sit""#, of: bob)
    // A client has no seat; then a session leaves whose id only the State before has.
    try await past.send(#""sit""#)
    try await past.send(#""leave""#, of: bob)
    // No State has its id.
    try await past.send(#""leave""#, of: SessionID(high: 9 << 60, low: 1))
    let check = try await past.check(with: catalog)
    #expect(check.faults.isEmpty && check.skipped.isEmpty && check.agreeing == 5)
  }
  @Test func `does not take a client's text for the id`() async throws {
    var catalog = ViewModelCatalog()
    catalog.host("hall", summary: "") { _ in Hall() }
    let past = try Past(catalog)
    let ada = SessionID(high: 7 << 60, low: 1)
    let lookAlike = SessionID(high: 7 << 60, low: 2)
    try await past.send(#"{"rename":{"_0":"\#(lookAlike)"}}"#)
    try await past.send(#""sit""#, of: ada)
    try await past.send(#""sit""#)
    let check = try await past.check(with: catalog)
    #expect(check.faults.isEmpty && check.agreeing == 2)
    let reason = "several of its texts may be the id of the session that sent its Input"
    #expect(check.skipped.map(\.version) == [3] && check.skipped.map(\.reason) == [reason])
  }
}
