public import Testing
public import UIFusionKit

/// Tests a view model step by step: each Input that is sent, each action that comes back, each State.
///
/// Whatever happens has to be said. The State expected is described by changing the one before; every
/// action that an effect sends has to be received; and at the end nothing may be left running. What
/// does not agree is recorded as an issue at the line that says so.
///
/// Time stands still until ``advance(by:)``. Before a step looks at anything, it waits until nothing
/// can happen any more without time going on: so nothing is missed, and nothing is guessed.
///
/// ```swift
/// let store = AsyncTestStore { SearchViewModel(time: $0.time) }
/// await store.send(.queryChanged("a")) { $0.query = "a" }
/// await store.advance(by: .milliseconds(500))
/// await store.receive(.found(["a 1"])) { $0.results = ["a 1"] }
/// await store.finish()
/// ```
public final class AsyncTestStore<Model: ViewModel> {
  /// Changes a State from what it was into what it is expected to be.
  public typealias Expectation = (_ state: inout Model.State) throws -> Void

  /// The time that the view model waits by.
  public let clock: TestClock

  /// Whether everything has to be said; otherwise only what is said has to be so.
  public var isExhaustive = true

  /// The State after the last step that was looked at.
  public private(set) var state: Model.State

  let engine: Engine
  private let steps: StepRecorder<Model>
  private let issues: IssueReporter

  /// Creates the view model, on a clock of its own.
  ///
  /// - Parameters:
  ///   - adjust: changes what the view model is given, such as random numbers from a seed.
  ///   - make: creates the view model.
  public convenience init(
    _ adjust: (inout Dependencies) -> Void = { _ in },
    _ make: @Sendable (_ dependencies: Dependencies) throws -> Model
  ) rethrows {
    try self.init(adjust, issues: .testing, make)
  }

  init(
    _ adjust: (inout Dependencies) -> Void = { _ in },
    from stored: Model.State? = nil,
    issues: IssueReporter,
    _ make: @Sendable (_ dependencies: Dependencies) throws -> Model
  ) rethrows {
    let clock = TestClock()
    let steps = StepRecorder<Model>()
    var dependencies = clock.dependencies
    adjust(&dependencies)
    self.clock = clock
    self.steps = steps
    self.issues = issues
    engine = try Engine(
      dependencies,
      resuming: stored.map { Resumption($0, version: 1) },
      published: { (state: Model.State, version) in if version == 1 { steps.begin(state) } },
      trace: { steps.record($0) },
      { [dependencies] in try make(dependencies) }
    )
    state = steps.first
  }

  deinit {
    engine.close()
  }

  // MARK: Steps

  /// Sends an Input, and looks at the State that its turn, or its work up to the first wait, leads to.
  public func send(
    _ input: Model.Input,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ expected: Expectation? = nil
  ) async {
    await clock.idle()
    requireNothingLeft(before: "sending \(input)", at: sourceLocation)
    _ = engine.submit(InputBatch([input]))
    await clock.idle()
    guard let step = steps.next(where: { $0.kind.isInput }) else {
      issues.record(
        "\(input) was not processed: the Inputs before it still run.",
        sourceLocation
      )
      return
    }
    look(at: step, as: "sending \(input)", expected, sourceLocation)
  }

  /// Receives the next action that an effect has sent, and looks at the State that it leads to.
  public func receive(
    _ action: Model.Action,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ expected: Expectation? = nil
  ) async where Model.Action: Equatable {
    await receive("\(action)", sourceLocation, expected) { $0 == action }
  }

  /// Receives the next action that an effect has sent, if it is one of those meant.
  public func receive(
    where matches: (Model.Action) -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ expected: Expectation? = nil
  ) async {
    await receive("an action that matches", sourceLocation, expected, matches)
  }

  /// Looks at the next State that work in progress has led to: of `perform`, or of a mutation.
  public func change(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ expected: @escaping Expectation
  ) async {
    await clock.idle()
    guard let step = steps.next(where: { $0.kind.isChange }) else {
      issues.record(
        "Expected State to change, and it did not.\n"
          + "(Let time go on with advance(by:), or leave this out.)",
        sourceLocation
      )
      return
    }
    look(at: step, as: "work in progress", expected, sourceLocation)
  }

  /// Receives the error that `handleError` was called with, and looks at the State that it leads to.
  public func receiveError(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ expected: Expectation? = nil
  ) async -> SendableError? {
    await clock.idle()
    guard let step = steps.next(where: { $0.kind.isError }), case .error(let error) = step.kind
    else {
      issues.record("Expected an error, and there was none.", sourceLocation)
      return nil
    }
    look(at: step, as: "the error \(error)", expected, sourceLocation)
    return error
  }

  /// Lets time go on, and all that is due happen.
  public func advance(by duration: Duration) async {
    await clock.advance(by: duration)
  }

  /// Skips whatever has happened and was not looked at.
  public func skip() async {
    await clock.idle()
    while let step = steps.next(where: { _ in true }) { state = step.state ?? state }
  }

  /// Ends the test: everything was looked at, and nothing is left running.
  public func finish(sourceLocation: SourceLocation = #_sourceLocation) async {
    await clock.idle()
    requireNothingLeft(before: "the end of the test", at: sourceLocation)
    let running = await engine.running
    if isExhaustive, !running.isEmpty {
      issues.record(
        "Still running at the end of the test: \(running.joined(separator: ", ")).\n"
          + "(Let time go on until it ends, or send the Input that cancels it.)",
        sourceLocation
      )
    }
    engine.close()
    await clock.idle()
  }

  // MARK: Looking

  private func receive(
    _ name: String,
    _ location: SourceLocation,
    _ expected: Expectation?,
    _ matches: (Model.Action) -> Bool
  ) async {
    await clock.idle()
    if !isExhaustive { skipUntil(matches) }
    guard let step = steps.next(where: { $0.kind.isReceived }), let action = step.kind.action else {
      issues.record(
        "Expected to receive \(name), and no effect has sent an action.\n"
          + "(Let time go on with advance(by:), or leave this out.)",
        location
      )
      return
    }
    guard matches(action) else {
      state = step.state ?? state
      issues.record("Received another action than expected.\n\(difference(name, action))", location)
      return
    }
    look(at: step, as: "receiving \(action)", expected, location)
  }

  private func skipUntil(_ matches: (Model.Action) -> Bool) {
    while let step = steps.next(where: { $0.kind.action.map(matches) != true }) {
      state = step.state ?? state
    }
  }

  private func look(
    at step: Step<Model>,
    as event: String,
    _ expected: Expectation?,
    _ location: SourceLocation
  ) {
    let before = state
    state = step.state ?? state
    guard isExhaustive || expected != nil else { return }
    // Without exhaustiveness, what is said is said of the State as it is.
    var expectation = isExhaustive ? before : state
    do {
      try expected?(&expectation)
    } catch {
      issues.record("The expectation for \(event) threw \(error).", location)
      return
    }
    if expectation != state {
      let advice =
        expected == nil
        ? "Say so: add a closure that changes the State of before into the one after."
        : "Mend the closure: it has to change the State of before into the one after."
      issues.record(
        "State is not as expected after \(event).\n\(difference(expectation, state))\n(\(advice))",
        location
      )
    } else if isExhaustive, expected != nil, expectation == before {
      issues.record(
        "State has not changed by \(event), as expected, but a closure says that it does.\n"
          + "(Leave the closure out.)",
        location
      )
    }
  }

  private func requireNothingLeft(before event: String, at location: SourceLocation) {
    guard isExhaustive else {
      while let step = steps.next(where: { _ in true }) { state = step.state ?? state }
      return
    }
    var left: [String] = []
    while let step = steps.next(where: { _ in true }) {
      left.append("  \(step.description(after: state))")
      state = step.state ?? state
    }
    guard !left.isEmpty else { return }
    issues.record(
      "Not everything was looked at before \(event):\n\(left.joined(separator: "\n"))\n"
        + "(Use receive(_:), change(_:) or receiveError(_:) for each, or skip().)",
      location
    )
  }
}

@available(*, unavailable)
extension AsyncTestStore: Sendable {}

/// Two values side by side, member by member where they have members.
private func difference<Expected, Actual>(_ expected: Expected, _ actual: Actual) -> String {
  guard let same = expected as? Actual else {
    return "  expected: \(expected)\n  actual: \(actual)"
  }
  return StateDifference(from: same, to: actual).members.map { member in
    let path = member.path.isEmpty ? "" : "\(member.path): "
    return "  \(path)expected \(member.before ?? "nothing"), is \(member.after ?? "nothing")"
  }
  .joined(separator: "\n")
}
