import FusionStrictJSON
import FusionTypeShapes
public import UIFusionKit

/// Runs every Input of a view model's plan, and records an issue wherever plan and view model differ.
///
/// Each Input is sent to a new view model, after the Inputs that lead to its situation and after its delay,
/// on a clock that advances until nothing is running. Every Input must be planned. The actions must be the
/// planned ones, in the order of their first occurrence. The members of State that change must be the planned
/// ones, each under an action after which it changed. (Actions that lead to one new State together are not
/// distinguished.)
///
/// ```swift
/// await expectPlan { CounterViewModel(time: $0.time) }
/// ```
///
/// - Parameters:
///   - limit: the longest time to observe an Input's work, since timers never end.
///   - fileID: the file where issues are recorded, as Swift Testing names it.
///   - filePath: its path.
///   - line: the line there.
///   - column: the column there.
///   - adjust: changes the dependencies, for example to random numbers from a seed.
///   - make: creates the view model.
public func expectPlan<Model: Planned>(
  within limit: Duration = .seconds(10),
  fileID: String = #fileID,
  filePath: StaticString = #filePath,
  line: Int = #line,
  column: Int = #column,
  _ adjust: (inout Dependencies) -> Void = { _ in },
  _ make: @escaping @Sendable (_ dependencies: Dependencies) throws -> Model
) async where Model.Input: Decodable, Model.State: Encodable {
  let check = PlanCheck(limit: limit, make: make) {
    IssueReporter.testing.record($0, IssueLocation(fileID, filePath, line, column))
  }
  await check.run(adjust)
}

/// Compares a plan with its view model.
struct PlanCheck<Model: Planned> where Model.Input: Decodable, Model.State: Encodable {
  let limit: Duration
  let make: @Sendable (Dependencies) throws -> Model
  let report: (String) -> Void

  typealias Change = PlanObserver<Model>.Change

  func run(_ adjust: (inout Dependencies) -> Void) async {
    let plan = Model.plan
    let planned = Set(plan.map { name(of: $0.example) })
    for name in TypeShape(of: Model.Input.self).caseNames where !planned.contains(name) {
      report("The plan says nothing about the Input \(name).\n(Add an entry for it.)")
    }
    for situation in plan {
      do {
        try await check(situation, adjust)
      } catch {
        report("The view model cannot be created: \(error)")
      }
    }
  }

  private func check(
    _ situation: PlannedInput<Model>,
    _ adjust: (inout Dependencies) -> Void
  ) async throws {
    let clock = TestClock()
    let observed = PlanObserver<Model>()
    var dependencies = clock.dependencies
    adjust(&dependencies)
    let engine = try Engine(
      dependencies,
      published: { (state: Model.State, version) in if version == 1 { observed.begin(state) } },
      trace: { observed.note($0) },
      { [make, dependencies] in try make(dependencies) }
    )
    engine.prepare(.started)
    _ = engine.submit(InputBatch(situation.before))
    if let delay = situation.delay {
      await clock.advance(by: delay)
    } else {
      await clock.run(atMost: limit)
    }
    observed.forget()
    _ = engine.submit(InputBatch([situation.example]))
    await clock.run(atMost: limit)
    engine.close()
    await clock.idle()
    compare(situation, with: observed.seen)
  }

  private func compare(_ situation: PlannedInput<Model>, with seen: PlanObserver<Model>.Seen) {
    let title = "\(name(of: situation.example)) (\(situation.sentence))"
    let actions = unique(situation.actions.map(\.name))
    if actions != seen.actions {
      report(
        "The plan of \(title) has other actions than the view model.\n"
          + "  planned: \(list(actions))\n  done: \(list(seen.actions))"
      )
    }
    let members = unique(situation.actions.flatMap { $0.changes.map(\.key) })
    for member in members where !seen.members.contains(member) {
      report(
        "The plan of \(title) has the member \(member), which State has not.\n"
          + "  State has: \(list(seen.members))"
      )
    }
    let missing = members.filter { seen.members.contains($0) && !seen.changed.contains($0) }
    let extra = seen.members.filter { seen.changed.contains($0) && !members.contains($0) }
    guard !missing.isEmpty || !extra.isEmpty else {
      if actions == seen.actions { compareChanges(situation, title, with: seen) }
      return
    }
    report(
      "The plan of \(title) changes other members than the view model.\n"
        + "  planned and not changed: \(list(missing))\n  changed and not planned: \(list(extra))\n"
        + "(What changes in some situations only needs an entry with Inputs that lead there.)"
    )
  }

  /// Checks that each member is planned under an action that changes it.
  private func compareChanges(
    _ situation: PlannedInput<Model>,
    _ title: String,
    with seen: PlanObserver<Model>.Seen
  ) {
    let planned = unique(
      situation.actions.flatMap { action in
        action.changes.map { Change(action: action.name, member: $0.key) }
      }
    )
    let possible = Set(seen.steps.flatMap(\.possibilities))
    let missing = planned.filter { !possible.contains($0) }
    let extra = seen.steps.flatMap { step in
      step.members.filter { member in
        !step.actions.contains { planned.contains(Change(action: $0, member: member)) }
      }.map { "\($0) by \(step.actions.joined(separator: " or "))" }
    }
    guard !missing.isEmpty || !extra.isEmpty else { return }
    report(
      "The plan of \(title) has members under other actions than those that change them.\n"
        + "  planned and not changed: \(list(missing.map { "\($0.member) by \($0.action)" }))\n"
        + "  changed and not planned: \(list(unique(extra)))"
    )
  }

  /// Returns the name of an Input in JSON.
  private func name(of input: Model.Input) -> String {
    let json = (input as? any Encodable).flatMap { try? JSONTree(encoding: $0) }
    if case .string(let name) = json { return name }
    return json?.members.first?.name ?? caseName(of: input)
  }

  private func list(_ names: [String]) -> String {
    names.isEmpty ? "nothing" : names.joined(separator: ", ")
  }
}
