import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

@testable import UIFusionTools

@Suite(.timeLimit(.minutes(5))) struct `A scenario` {
  @Test func `is played as the senders that it names, with their roles`() async throws {
    let play = try await play(
      #"{"input":"sign","sender":"ada","roles":["host","member"]}"#,
      #"{"input":"sign"}"#,
      #"{"input":"sign","sender":"bob"}"#,
      states: ["ada host member"],
      ["ada host member", "nobody"],
      ["ada host member", "nobody", "bob"]
    )
    #expect(play.text == "4 States came as in the scenario\n")
  }

  @Test func `is played for the identity that the session belongs to`() async throws {
    let play = try await play(
      #"{"input":"sign","sender":"bob"}"#,
      states: ["bob ada"],
      of: #""identity":"ada","#
    )
    #expect(play.text == "2 States came as in the scenario\n")
  }

  @Test func `has States as they are stored, or as clients get them`() async throws {
    let play = try await play(
      #"{"input":"sign","sender":"bob"}"#,
      #"{"input":"sign","sender":"ada"}"#,
      states: [#"["bob"],"count":1"#],
      [#"["bob","ada"]"#]
    )
    #expect(play.text == "3 States came as in the scenario\n")
  }

  @Test func `differs if another sends an Input`() async throws {
    let clock = TestClock()
    // The State that does not come is waited for.
    let time = Task { while !Task.isCancelled { await clock.advance(by: .seconds(10)) } }
    defer { time.cancel() }
    // Time waits for the play.
    let play = try await Task(executorPreference: clock.executor) {
      try await self.play(#"{"input":"sign","sender":"bob"}"#, states: ["ada"], on: clock)
    }.value
    #expect(play.fault?.line == 2)
    #expect(play.text.contains(#"names[0]: "ada" → "bob""#), "\(play.text)")
  }

  @Test func `is played with the actions that a followed session has led to`() async throws {
    let play = try await play(
      #"{"action":{"greet":{"host":"ada"}},"sent":true,"followed":"house main (shared)"}"#,
      #"{"input":"sign","sender":"bob"}"#,
      states: ["hello ada"],
      ["hello ada", "bob"]
    )
    #expect(play.text == "3 States came as in the scenario\n")
  }

  @Test(arguments: [
    (#""action":"shout""#, "line 2: "),
    (#""text":"shout(Loud())""#, "Action that is not Codable"),
    (
      #""action":{"greet":{"host":"••••"}}"#,
      "line 2: trace[0].action has a private or secret value"
    ),
  ])
  func `names a line whose followed action cannot be played`(
    action: String,
    fault: String
  ) async throws {
    let line = "{\(action),\"sent\":true,\"followed\":\"house main (shared)\"}"
    let error = await #expect(throws: MemberFault.self) { try await play(line, states: []) }
    #expect(error.map { "\($0)" }?.contains(fault) == true, "\(error as Any)")
  }

  @Test(arguments: [
    (#"{"input":"sign","sender":7}"#, "sender must be a string"),
    (#"{"input":"sign","sender":"ada","roles":"host"}"#, "roles must be an array of strings"),
  ])
  func `names a member that it cannot read`(line: String, fault: String) async throws {
    let error = await #expect(throws: MemberFault.self) { try await play(line, states: []) }
    #expect(error.map { "\($0)" } == "line 2: trace[0].\(fault)")
  }

  /// Plays lines of traces, each with the names that follow.
  private func play(
    _ traces: String...,
    states: [String]...,
    of session: String = "",
    on clock: TestClock = TestClock()
  ) async throws -> ScenarioPlay {
    var lines = [
      #"{"viewModel":"guests",\#(session)"version":1,"trace":[],"state":{"names":[]}}"#
    ]
    for (index, trace) in traces.enumerated() {
      let names =
        states[index].first?.hasPrefix("[") == true ? states[index][0] : "\(states[index])"
      let state = #"{"names":\#(names)}"#
      lines.append(#"{"version":\#(index + 2),"trace":[\#(trace)],"state":\#(state)}"#)
    }
    var catalog = ViewModelCatalog()
    catalog.host("guests", summary: "") { Guests(id: $0.identity) }
    return try await ScenarioPlay(
      Scenario(Array(lines.joined(separator: "\n").utf8)),
      on: catalog.viewModels[0],
      clock.dependencies
    )
  }
}

/// The guests who have signed, and where.
struct Guests: ViewModelProtocol {
  enum Input: Codable, Sendable { case sign }
  enum Action: Codable, Sendable { case sign, greet(host: String) }
  struct State: Codable, Equatable, Sendable {
    var names: [String] = []
    @Private var count = 0
  }

  var state = State()
  let id: String?

  func transform(_ input: Input) -> [Action] { [.sign] }

  mutating func perform(_ action: Action) {
    if case .greet(let host) = action { return state.names.append("hello \(host)") }
    let sender = InputSender.identity
    let words = [sender?.id ?? "nobody"] + (sender?.roles.sorted() ?? []) + [id].compactMap(\.self)
    state.names.append(words.joined(separator: " "))
    state.count += 1
  }
}
