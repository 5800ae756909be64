import FusionSessions
import FusionStrictJSON
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

@testable import UIFusionTools

/// A change of a view model between two builds, and what a check of the sessions of the first build says of it.
private struct PlannedChange: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let catalog: ViewModelCatalog
  let kind: SessionFinding.Kind
  /// The texts that the finding's lines contain.
  let texts: [String]

  init<Model: ViewModel>(
    _ name: String,
    _ kind: SessionFinding.Kind,
    _ texts: String...,
    make: @escaping @Sendable (Dependencies) -> Model
  ) where Model.Input: Codable, Model.State: Codable {
    testDescription = name
    var catalog = ViewModelCatalog()
    catalog.host("order", summary: "", make)
    (self.catalog, self.kind, self.texts) = (catalog, kind, texts)
  }

  static let all = [
    PlannedChange("none", .same) { _ in Order() },
    PlannedChange("another reduce", .different, "version 2 differs", "total: 2 → 20") { _ in
      Order(price: 10)
    },
    PlannedChange("a renamed action", .different, "version 2 has an action that", "add") { _ in
      Order.WithRenamedAction()
    },
    PlannedChange("a renamed member", .unreadable, "total") { _ in Order.WithRenamedMember() },
    PlannedChange("a member of another type", .unreadable, "total") { _ in Order.WithText() },
    PlannedChange("a newer format without migration", .unreadable) { _ in Order.Unmigrated() },
    PlannedChange("an action that waits", .notReplayed, "waits") { _ in Order.Waiting() },
    PlannedChange("an action that is not Codable", .notReplayed, "not Codable") { _ in
      Order.Uncoded()
    },
  ]
}

@Suite struct `The check of a session before a deploy` {
  private func finding(_ catalog: ViewModelCatalog) async throws -> SessionFinding {
    var first = ViewModelCatalog()
    first.host("order", summary: "") { _ in Order() }
    let past = try Past(first)
    try await past.send(#"{"add":2}"#)
    return await SessionCheck(catalog, past.clock.dependencies, dropsMembers: false).finding(
      try past.stored,
      []
    )
  }

  @Test(arguments: PlannedChange.all)
  private func `names what a change of the view model does to it`(_ change: PlannedChange)
    async throws
  {
    let finding = try await finding(change.catalog)
    #expect(finding.kind == change.kind, "\(finding)")
    let text = finding.lines.joined(separator: "\n")
    for part in change.texts { #expect(text.contains(part), "\(text)") }
    #expect(finding.same == (change.kind == .same ? 1 : 0))
    #expect(finding.kind.isRefused == (change.kind == .unreadable))
  }

  @Test func `finds a view model that is no longer hosted`() async throws {
    let finding = try await finding(ViewModelCatalog())
    #expect(finding.kind == .unreadable)
    #expect(finding.lines == ["no view model of that name is hosted"])
  }

  @Test func `finds a patch that does not apply`() async throws {
    var catalog = ViewModelCatalog()
    catalog.host("order", summary: "") { _ in Order() }
    let past = try Past(catalog)
    try await past.send(#"{"add":2}"#)
    var stored = try past.stored
    stored.entries[0].outcome = .patch(Array(#"[["r","/none",1]]"#.utf8))
    let check = SessionCheck(catalog, past.clock.dependencies, dropsMembers: false)
    #expect(await check.finding(stored, []).kind == .damaged)
  }

  @Test func `finds an alarm whose action is no longer known`() async throws {
    var catalog = ViewModelCatalog()
    catalog.host("order", summary: "") { _ in Order() }
    let past = try Past(catalog)
    var stored = try past.stored
    stored.alarms = [false, true].flatMap { isForeign in
      ["add", "remind"].map { action in
        let name = AlarmName("\(action) \(isForeign)")
        let alarm = Alarm(name, at: 0, json: Array(#"{"\#(action)":1}"#.utf8), isForeign: isForeign)
        return StoredAlarm(name.bytes, at: WallTime(milliseconds: 0), alarm.stored)
      }
    }
    let followings = Alarm(foreignFollowings: [])
    stored.alarms.append(
      StoredAlarm(followings.name.bytes, at: WallTime(milliseconds: 0), followings.stored)
    )
    let check = SessionCheck(catalog, past.clock.dependencies, dropsMembers: false)
    let finding = await check.finding(stored, [])
    #expect(finding.kind == .different)
    #expect(finding.lines.count == 2)
    for line in finding.lines {
      #expect(line.hasPrefix("the alarm for 1970-01-01T00:00:00.000Z has an action"))
    }
  }

  @Test func `drops members as the service would, and says so`() async throws {
    var first = ViewModelCatalog()
    first.host("order", summary: "") { _ in Order() }
    let past = try Past(first)
    var thin = ViewModelCatalog()
    thin.host("order", summary: "") { _ in Order.Thin() }
    let kept = SessionCheck(thin, past.clock.dependencies, dropsMembers: false)
    #expect(await kept.finding(try past.stored, []).kind == .unreadable)
    let dropped = SessionCheck(thin, past.clock.dependencies, dropsMembers: true)
    let finding = await dropped.finding(try past.stored, [])
    #expect(finding.changes.dropped == ["total"])
  }

  @Test func `reads again what it has written as a line of JSON`() throws {
    var finding = SessionFinding(
      session: SessionID(high: 1, low: 2),
      viewModel: "order",
      kind: .different,
      lines: ["version 2 differs", "  total: 2 → 20"],
      same: 3,
      skipped: ["a secret": 2]
    )
    finding.changes.added = ["currency"]
    let line = DocumentReader(try JSONDocument(finding.json.bytes).root)
    #expect(try SessionFinding(line) == finding)
  }
}

/// The view model of the build that has stored the sessions.
private struct Order: ViewModelProtocol {
  enum Input: Codable, Sendable { case add(Int) }
  enum Action: Codable, Sendable { case add(Int) }
  struct State: Codable, Equatable, Sendable { var total = 0 }

  var state = State()
  var price = 1

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .add(let count): [.add(count)]
    }
  }

  mutating func perform(_ action: Action) {
    switch action {
    case .add(let count): state.total += count * price
    }
  }
}

extension Order {
  struct WithRenamedAction: ViewModelProtocol {
    enum Action: Codable, Sendable { case put(Int) }
    var state = Order.State()
    func transform(_ input: Order.Input) -> [Action] { [] }
    mutating func perform(_ action: Action) {}
  }

  struct WithRenamedMember: ViewModelProtocol {
    struct State: Codable, Equatable, Sendable { var sum = 0 }
    var state = State()
    func transform(_ input: Order.Input) -> [Order.Action] { [] }
    mutating func perform(_ action: Order.Action) {}
  }

  struct WithText: ViewModelProtocol {
    struct State: Codable, Equatable, Sendable { var total = "" }
    var state = State()
    func transform(_ input: Order.Input) -> [Order.Action] { [] }
    mutating func perform(_ action: Order.Action) {}
  }

  struct Unmigrated: ViewModelProtocol {
    static var stateFormat: Int { 2 }
    var state = Order.State()
    func transform(_ input: Order.Input) -> [Order.Action] { [] }
    mutating func perform(_ action: Order.Action) {}
  }

  struct Thin: ViewModelProtocol {
    struct State: Codable, Equatable, Sendable { var note = "" }
    var state = State()
    func transform(_ input: Order.Input) -> [Order.Action] { [] }
    mutating func perform(_ action: Order.Action) {}
  }

  struct Uncoded: ViewModelProtocol {
    enum Action: Sendable { case add }
    var state = Order.State()
    func transform(_ input: Order.Input) -> [Action] { [] }
    mutating func perform(_ action: Action) {}
  }

  final class Waiting: AsyncViewModel {
    var state = Order.State()
    func transform(_ input: Order.Input) async -> [Order.Action] { [] }
    func perform(_ action: Order.Action) async {}
    func handleError(_ error: SendableError) async {}
  }
}
