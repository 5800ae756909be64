import FusionStrictJSON
import UIFusionKit

/// Compares steps with the test's expectations.
extension AsyncTestStore {
  func receive(
    _ name: String,
    _ place: IssueLocation,
    _ expected: Expectation?,
    _ matches: (Model.Action) -> Bool
  ) async {
    await clock.idle()
    if isExhaustive {
      skipStartedInputs()
    } else {
      while take(where: { $0.kind.action.map(matches) != true }) != nil {}
    }
    guard let step = steps.next(where: { $0.kind.isReceived }), let action = step.kind.action else {
      issues.record(
        "Expected to receive \(name), and no effect has sent an action.\n"
          + "(Let time go on with advance(by:), or leave this out.\(await hintAtOtherClocks()))",
        place
      )
      return
    }
    guard matches(action) else {
      state = step.state ?? state
      issues.record("Received another action than expected.\n\(difference(name, action))", place)
      return
    }
    look(at: step, as: "receiving \(action)", expected, place)
  }

  func look(
    at step: Step<Model>,
    as event: String,
    _ expected: Expectation?,
    _ place: IssueLocation
  ) {
    let before = state
    state = step.state ?? state
    guard isExhaustive || expected != nil else { return }
    // If the store is not exhaustive, expectations apply to the actual State.
    var expectation = isExhaustive ? before : state
    do {
      try expected?(&expectation)
    } catch {
      issues.record("The expectation for \(event) threw \(error).", place)
      return
    }
    if PartComparison.differ(expectation, state) {
      let advice =
        expected == nil
        ? "Say so: add a closure that changes the State of before into the one after."
        : "Correct the closure: it must change the State of before into the one after."
      issues.record(
        "State is not as expected after \(event).\n\(difference(expectation, state))\n(\(advice))",
        place
      )
    } else if isExhaustive, expected != nil, !PartComparison.differ(expectation, before) {
      issues.record(
        "State has not changed by \(event), as expected, but a closure says that it does.\n"
          + "(Leave the closure out.)",
        place
      )
    }
  }

  /// Takes the next step if it matches, without checking it.
  func take(where matches: (Step<Model>) -> Bool = { _ in true }) -> Step<Model>? {
    guard let step = steps.next(where: matches) else { return nil }
    if isStartedInput(step) { waitingInputs -= 1 }
    state = step.state ?? state
    return step
  }

  /// Returns whether a step is the start of an Input that had to wait.
  func isStartedInput(_ step: Step<Model>) -> Bool { waitingInputs > 0 && step.kind.isInput }

  /// Skips the starts of Inputs that had to wait, if they change nothing.
  func skipStartedInputs() {
    while steps.next(where: { isStartedInput($0) && $0.state == nil }) != nil { waitingInputs -= 1 }
  }

  /// Returns a hint if running work does not wait on the test's clock.
  func hintAtOtherClocks() async -> String {
    guard await !engine.running.isEmpty, clock.sleepers == 0 else { return "" }
    return
      " What runs does not wait on the test's clock: has it called Task.sleep, or a clock of its own, "
      + "in place of the TimeSource that it is given?"
  }

  func requireNothingLeft(before event: String, at place: IssueLocation) {
    if isExhaustive { skipStartedInputs() }
    var left: [String] = []
    var before = state
    while let step = take() {
      left.append("  \(step.description(after: before))")
      before = state
    }
    guard isExhaustive, !left.isEmpty else { return }
    issues.record(
      "Not everything was looked at before \(event):\n\(left.joined(separator: "\n"))\n"
        + "(Use receive(_:), change(_:) or receiveError(_:) for each, or skip().)",
      place
    )
  }
}

/// Returns the differences between two values, member by member.
private func difference<Expected, Actual>(_ expected: Expected, _ actual: Actual) -> String {
  guard let same = expected as? Actual else {
    return "  expected: \(expected)\n  actual: \(actual)"
  }
  let members =
    StateDifference(from: same, to: actual).members + derived(from: same, to: actual)
  guard !members.isEmpty else {
    return "  in what prints alike, such as a Secret, Private or Redacted member"
  }
  return members.map { member in
    let path = member.path.isEmpty ? "" : "\(member.path): "
    return "  \(path)expected \(member.before ?? "nothing"), is \(member.after ?? "nothing")"
  }
  .joined(separator: "\n")
}

/// Returns the differences between derived members.
private func derived<Value>(
  from before: Value,
  to after: Value
) -> [StateDifference.Member] {
  let names = Set(Mirror(reflecting: after).children.compactMap { $0.label?.drop { $0 == "_" } })
  guard let before = encoded(before), let after = encoded(after) else { return [] }
  return after.members.compactMap { member in
    guard !names.contains(member.name[...]), before[member.name] != member.value else { return nil }
    return StateDifference.Member(
      path: member.name,
      before: before[member.name]?.text,
      after: member.value.text
    )
  }
}

private func encoded(_ value: Any) -> JSONTree? {
  (value as? any Encodable).flatMap { try? JSONTree(encoding: $0, for: .clients) }
}
