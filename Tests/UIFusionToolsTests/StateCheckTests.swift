import FusionExampleViewModels
import FusionSessions
import Synchronization
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

@testable import UIFusionTools

@Suite struct `A check of stored States` {
  @Test func `passes an unchanged view model, and runs no effects`() async throws {
    let worked = Mutex(0)
    let catalog = ViewModelCatalog.purse(bonus: 5) { worked.withLock { $0 += 1 } }
    let past = try Past(catalog)
    try await past.send(#"{"earn":1}"#, #"[{"earn":2},{"earn":3}]"#, #""work""#)
    await past.clock.advance(by: .seconds(1))
    let check = try await past.check(with: catalog)
    #expect(check.faults.isEmpty)
    #expect(check.agreeing == 4)
    #expect(worked.withLock { $0 } == 1)
  }

  @Test func `performs an Input's actions as its sender, in the session`() async throws {
    var catalog = ViewModelCatalog()
    catalog.host("guests", summary: "") { Guests(id: $0.sessionID) }
    let past = try Past(catalog)
    try await past.send(#""sign""#, from: Identity(id: "ada", roles: ["host"]))
    try await past.send(#""sign""#)
    let check = try await past.check(with: catalog)
    #expect(check.faults.isEmpty && check.agreeing == 2)
    let history = try SessionHistory(past.stored, log: [])
    #expect(String(decoding: history.state, as: UTF8.self).contains("ada host \(past.id)"))
    let report = ReplayReport(history: history).text
    #expect(report.contains(#"  input     "sign" by ada (host)"# + "\n"), "\(report)")
  }

  @Test func `performs what an effect's error leads to as nobody`() async throws {
    var catalog = ViewModelCatalog()
    catalog.host("saving", summary: "") { _ in Saving() }
    let past = try Past(catalog)
    try await past.send(#""save""#, from: Identity(id: "ada"))
    let check = try await past.check(with: catalog)
    #expect(check.faults.isEmpty && check.agreeing == 1)
  }

  @Test func `names the versions that a changed reduce computes differently`() async throws {
    let past = try Past(.purse(bonus: 0))
    try await past.send(#"{"earn":1}"#, #"{"earn":2}"#, #"{"earn":3}"#, #"{"earn":4}"#)
    let check = try await past.check(with: .purse(bonus: 5))
    // Each is compared with what follows from the stored State before it.
    #expect(check.agreeing == 3)
    #expect(check.faults.first?.version == 4)
    guard case .difference(let difference)? = check.faults.first?.kind else {
      Issue.record("no difference")
      return
    }
    #expect(difference.description == "coins: 6 → 11")
    let report = CheckReport(history: try SessionHistory(past.stored, log: []), check: check)
    #expect(report.text.contains("\n  coins: 6 → 11\n"))
    #expect(report.text.hasSuffix(": 3 versions are the same, 1 is not\n"))
    #expect(
      report.jsonLines.hasSuffix(
        #"{"result":"different","different":1,"same":3,"skipped":0}"# + "\n"
      )
    )
    #expect(
      report.jsonLines.contains(#""members":[{"path":"coins","stored":"6","replayed":"11"}]"#)
    )
  }

  @Test func `prints no private or redacted value`() async throws {
    let past = try Past(.vault(step: 4_242))
    try await past.send(#""open""#)
    let check = try await past.check(with: .vault(step: 5_353))
    #expect(check.faults.first?.version == 2)
    let report = CheckReport(history: try SessionHistory(past.stored, log: []), check: check)
    #expect(report.text.contains("  only in members that are never printed\n"))
    for text in [report.text, report.jsonLines] {
      #expect(!text.contains("4242") && !text.contains("5353"))
    }
  }

  @Test func `continues from the stored State after an action with a private value`()
    async throws
  {
    let past = try Past(.vault(step: 1))
    try await past.send(#""open""#, #"{"turn":5}"#, #""open""#)
    let check = try await past.check(with: .vault(step: 1))
    #expect(check.faults.isEmpty)
    #expect(check.agreeing == 2)
    #expect(check.skipped.map(\.version) == [3])
  }

  @Test func `resets unstored members at a restart, as the session did`() async throws {
    let past = try Past(.purse(bonus: 5))
    try await past.send(#"{"earn":1}"#, #"{"earn":1}"#)
    try await past.restart()
    try await past.send(#"{"earn":1}"#, #"{"earn":1}"#)
    let check = try await past.check(with: .purse(bonus: 5))
    #expect(check.faults.isEmpty)
    #expect(check.agreeing == 4)
    #expect(
      try String(decoding: past.stored.entries[2].trace, as: UTF8.self).hasPrefix(
        "{\"restored\":true}\n"
      )
    )
  }

  @Test func `continues from the stored State if an action or State had a secret`() async throws {
    let past = try Past(.purse(bonus: 0))
    try await past.send(#"{"earn":1}"#, #"{"hide":"abc"}"#, #"{"earn":1}"#)
    let same = try await past.check(with: .purse(bonus: 0))
    #expect(same.faults.isEmpty)
    #expect(same.agreeing == 1)
    #expect(same.skipped.map(\.version) == [3, 4])
    #expect(
      same.skipped.map(\.reason) == [
        "an action held a secret or private value, which a trace does not keep",
        "the State before it held a secret, which is not stored",
      ]
    )
  }

  @Test func `names an action that the current view model cannot decode`() async throws {
    let past = try Past(.purse(bonus: 0))
    try await past.send(#"{"earn":1}"#)
    var today = ViewModelCatalog()
    today.host("purse", summary: "") { _ in CounterSyncViewModel() }
    let check = try await past.check(with: today)
    guard case .unreadableState? = check.faults.first?.kind else {
      Issue.record("read the State of another view model")
      return
    }
    var renamed = ViewModelCatalog()
    renamed.host("purse", summary: "") { _ in RenamedPurse() }
    let other = try await past.check(with: renamed)
    guard case .unknownAction(let action, _)? = other.faults.first?.kind else {
      Issue.record("decoded an unknown action")
      return
    }
    #expect(String(decoding: action, as: UTF8.self) == #"{"earn":1}"#)
  }

  @Test func `goes on behind what it cannot read, and counts what it could not compare`()
    async throws
  {
    let past = try Past(.purse(bonus: 0))
    let inputs = [#"{"earn":1}"#, #"{"hide":"abc"}"#, #"{"earn":1}"#, #"{"earn":2}"#]
    try await past.send(inputs[0], inputs[1], inputs[2], inputs[3])
    var renamed = ViewModelCatalog()
    renamed.host("purse", summary: "") { _ in RenamedPurse() }
    let check = try await past.check(with: renamed)
    #expect(check.faults.map(\.version) == [2, 4, 5])
    #expect(check.skipped.map(\.version) == [3])
    var other = ViewModelCatalog()
    other.host("purse", summary: "") { _ in CounterSyncViewModel() }
    let unreadable = try await past.check(with: other)
    // Each State that cannot be read is named once.
    #expect(unreadable.faults.map(\.version) == [1, 2, 3, 4, 5])
    let text = CheckReport(history: try SessionHistory(past.stored, log: []), check: unreadable)
      .text
    #expect(text.hasSuffix(": 0 versions are the same, 5 are not\n"), "\(text)")
  }

  @Test func `joins versions that were not compared for one reason, and prints ten faults`()
    async throws
  {
    let past = try Past(.purse(bonus: 0))
    for number in 1...12 {
      try await past.send(#"{"earn":1}"#, #"{"hide":"secret \#(number)"}"#)
    }
    var renamed = ViewModelCatalog()
    renamed.host("purse", summary: "") { _ in RenamedPurse() }
    let check = try await past.check(with: renamed)
    let text = CheckReport(history: try SessionHistory(past.stored, log: []), check: check).text
    #expect(
      text.contains(
        "12 versions from 3 to 25 were not compared: an action held a secret or private value, which a trace does not keep\n"
      )
    )
    #expect(text.contains("\nand 2 more: --format json has all\n"))
    #expect(text.matches(of: /does not know/).count == 10)
  }

  @Test func `names the members that State lost and gained`() async throws {
    let past = try Past(.purse(bonus: 0))
    try await past.send(#"{"earn":1}"#)
    var today = ViewModelCatalog()
    today.host("purse", summary: "") { _ in ThinPurse() }
    let check = try await past.check(with: today)
    #expect(check.faults.isEmpty)
    #expect(check.changes.added == ["currency"])
    #expect(check.changes.dropped == ["note"])
    let report = CheckReport(history: try SessionHistory(past.stored, log: []), check: check)
    #expect(report.text.contains("stored States lack currency: a value is supplied\n"))
    #expect(report.text.contains("State no longer has note: dropped\n"))
    #expect(report.jsonLines.contains(#""added":["currency"],"dropped":["note"]"#))
  }

  @Test func `says why it cannot replay a view model`() async throws {
    let past = try Past(.purse(bonus: 0))
    var waiting = ViewModelCatalog()
    waiting.host("purse", summary: "") { CounterViewModel(time: $0.time) }
    #expect(
      await refusal(past, waiting)
        == "CounterViewModel waits and has effects in perform, which a replay would repeat"
    )
    var plain = ViewModelCatalog()
    plain.host("purse", summary: "") { _ in Votes() }
    #expect(await refusal(past, plain) == "Votes.Action is not Codable")
  }

  private func refusal(_ past: Past, _ catalog: ViewModelCatalog) async -> String? {
    do {
      _ = try await past.check(with: catalog)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func `applies mutations in the order in which they completed`() async throws {
    var catalog = ViewModelCatalog()
    catalog.host("notes", summary: "") { Notes(time: $0.time) }
    let past = try Past(catalog)
    try await past.send("2", "1")
    await past.clock.advance(by: .seconds(4))
    #expect(
      try past.stored.entries.map(\.outcome).filter { $0 != .unchanged } == [
        .state(Array("[1]".utf8)), .state(Array("[1,2]".utf8)),
      ]
    )
    let check = try await past.check(with: catalog)
    #expect(check.faults.isEmpty)
    #expect(check.agreeing == 2)
  }

  @Test func `migrates States of an older format`() async throws {
    var old = ViewModelCatalog()
    old.host("sum", summary: "") { _ in OldSum() }
    var new = ViewModelCatalog()
    new.host("sum", summary: "") { _ in NewSum() }
    let past = try Past(old)
    try await past.send("1", "2")
    let before = try await past.check(with: new)
    #expect(before.faults.isEmpty)
    #expect(before.agreeing == 2)
  }
}

/// A view model whose State is private or redacted.
private struct Vault: ViewModelProtocol {
  enum Input: Codable, Sendable { case open, turn(Int) }
  enum Action: Codable, Sendable { case open, turn(Private<Int>) }
  struct State: Codable, Equatable, Sendable {
    @Private var code = 0
    @Redacted var owner = ""
  }

  var state = State()
  let step: Int

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .open: [.open]
    case .turn(let count): [.turn(Private(count))]
    }
  }

  mutating func perform(_ action: Action) {
    switch action {
    case .open: (state.code, state.owner) = (state.code + step, "owner \(step)")
    case .turn(let count): state.code += count.wrappedValue
    }
  }
}

extension ViewModelCatalog {
  fileprivate static func vault(step: Int) -> ViewModelCatalog {
    var catalog = ViewModelCatalog()
    catalog.host("vault", summary: "") { _ in Vault(step: step) }
    return catalog
  }
}

private struct RenamedPurse: ViewModelProtocol {
  typealias Input = Purse.Input
  enum Action: Codable, Sendable { case gain(Int) }

  var state = Purse.State()

  func transform(_ input: Input) -> [Action] { [] }
  mutating func perform(_ action: Action) {}
}

/// A purse whose State lacks `note` and gained `currency`.
private struct ThinPurse: ViewModelProtocol {
  typealias Input = Purse.Input
  enum Action: Codable, Sendable { case earn(Int) }
  struct State: Codable, Equatable, Sendable {
    var coins = 0
    var currency = "franc"
  }

  static var droppedMembers: [String] { ["note"] }

  var state = State()

  func transform(_ input: Input) -> [Action] { [] }
  mutating func perform(_ action: Action) {
    if case .earn(let coins) = action { state.coins += coins }
  }
}

private struct OldSum: ViewModelProtocol {
  var state = 0

  func transform(_ input: Int) -> [Int] { [input] }
  mutating func perform(_ action: Int) { state += action }
}

private struct NewSum: ViewModelProtocol {
  struct State: Codable, Equatable, Sendable { var sum = 0 }

  static var stateFormat: Int { 2 }
  static func migrate(_ stored: StoredState, from format: Int) throws -> State {
    State(sum: try stored.decode(Int.self))
  }

  var state = State()

  func transform(_ input: Int) -> [Int] { [input] }
  mutating func perform(_ action: Int) { state.sum += action }
}

/// A reactor that appends each number after that number of seconds.
private final class Notes: AsyncReactor {
  var currentState: [Int] = []
  private let time: any TimeSource

  init(time: any TimeSource) {
    self.time = time
  }

  func policy(for input: Int) -> InputPolicy { .overlapping }

  func reduce(_ input: Int) async -> Int { input }

  func mutate(_ state: [Int], mutation: Int) async -> [Int] {
    try? await time.sleep(for: .seconds(mutation))
    return state + [mutation]
  }
}

/// A view model whose actions are not Codable.
private struct Votes: ViewModelProtocol {
  enum Input: Codable, Sendable { case vote }
  enum Action: Sendable { case count }
  struct State: Codable, Equatable, Sendable { var votes = 0 }

  var state = State()

  func transform(_ input: Input) -> [Action] { [.count] }

  mutating func perform(_ action: Action) { state.votes += 1 }
}

/// Saves in vain, and remembers for whom it handles the error.
private struct Saving: ReducerViewModel {
  enum Input: Codable, Sendable { case save }
  enum Action: Codable, Sendable { case save, failed }
  struct State: Codable, Equatable, Sendable { var last = "" }
  struct Full: Error {}

  var state = State()

  func transform(_ input: Input) -> [Action] { [.save] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .save: return [.runAction { throw Full() }]
    case .failed: state.last = InputSender.identity?.id ?? "nobody"
    }
    return []
  }

  func handleError(_ error: SendableError, of effect: EffectID?) -> [Action] { [.failed] }
}
