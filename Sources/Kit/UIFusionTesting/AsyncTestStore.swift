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
/// let store = AsyncTestStore { Fetcher(time: $0.time) }
/// await store.send(.fetch) { $0.isLoading = true }
/// await store.advance(by: .seconds(1))
/// await store.receive(.fetched(7)) {
///   $0.number = 7
///   $0.isLoading = false
/// }
/// await store.finish()
/// ```
public final class AsyncTestStore<Model: ViewModel> {
  /// Changes a State from what it was into what it is expected to be.
  public typealias Expectation = (_ state: inout Model.State) throws -> Void

  /// The time that the view model waits by.
  public let clock: TestClock

  /// What the view model publishes to and subscribes to, and nobody else unless the test does.
  public let topics: Topics

  /// Whether everything has to be said; otherwise only what is said has to be so.
  public var isExhaustive = true

  /// The State after the last step that was looked at.
  public internal(set) var state: Model.State

  /// How many Inputs were sent that wait for those before them.
  var waitingInputs = 0

  let engine: Engine
  let steps: StepRecorder<Model>
  let issues: IssueReporter

  /// Creates the view model, on a clock of its own, and lets it begin.
  ///
  /// What the actions of `started` lead to is looked at by ``change(fileID:filePath:line:column:_:)``.
  ///
  /// - Parameters:
  ///   - adjust: changes what the view model is given, such as random numbers from a seed.
  ///   - make: creates the view model.
  public convenience init(
    _ adjust: (inout Dependencies) -> Void = { _ in },
    _ make: @Sendable (_ dependencies: Dependencies) throws -> Model
  ) rethrows {
    try self.init(adjust, issues: .testing, make)
    engine.prepare(.started)
    engine.resume()
  }

  /// The same for a view model that is given nothing.
  public convenience init(
    viewModel make: @autoclosure @Sendable () throws -> Model
  ) rethrows {
    try self.init { _ in try make() }
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
    topics = dependencies.topics
    self.steps = steps
    self.issues = issues
    engine = try Engine(
      dependencies,
      resuming: stored.map { ResumePoint($0, version: 1) },
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
  ///
  /// An Input that has to wait for those before it has led to nothing yet: send it without a closure,
  /// and look at what it leads to, once time has gone on, with ``change(fileID:filePath:line:column:_:)``.
  public func send(
    _ input: Model.Input,
    fileID: String = #fileID,
    filePath: StaticString = #filePath,
    line: Int = #line,
    column: Int = #column,
    _ expected: Expectation? = nil
  ) async {
    let place = IssueLocation(fileID, filePath, line, column)
    await clock.idle()
    requireNothingLeft(before: "sending \(input)", at: place)
    _ = engine.submit(InputBatch([input]))
    await clock.idle()
    guard let step = steps.next(where: { $0.kind.isInput }) else {
      waitingInputs += 1
      guard expected != nil else { return }
      issues.record(
        "\(input) has changed nothing yet: it waits for the Inputs before it.\n"
          + "(Leave the closure out, let time go on with advance(by:), and use change(_:). Or let it "
          + "through: see policy(for:).)",
        place
      )
      return
    }
    look(at: step, as: "sending \(input)", expected, place)
  }

  /// Receives the next action that an effect has sent, and looks at the State that it leads to.
  public func receive(
    _ action: Model.Action,
    fileID: String = #fileID,
    filePath: StaticString = #filePath,
    line: Int = #line,
    column: Int = #column,
    _ expected: Expectation? = nil
  ) async where Model.Action: Equatable {
    await receive("\(action)", IssueLocation(fileID, filePath, line, column), expected) {
      $0 == action
    }
  }

  /// Receives the next action that an effect has sent, if it is one of those meant.
  public func receive(
    where matches: (Model.Action) -> Bool,
    fileID: String = #fileID,
    filePath: StaticString = #filePath,
    line: Int = #line,
    column: Int = #column,
    _ expected: Expectation? = nil
  ) async {
    await receive(
      "an action that matches",
      IssueLocation(fileID, filePath, line, column),
      expected,
      matches
    )
  }

  /// Looks at the next State that work in progress has led to: of `perform`, of a mutation, or of an
  /// Input that had to wait.
  public func change(
    fileID: String = #fileID,
    filePath: StaticString = #filePath,
    line: Int = #line,
    column: Int = #column,
    _ expected: @escaping Expectation
  ) async {
    let place = IssueLocation(fileID, filePath, line, column)
    await clock.idle()
    skipStartedInputs()
    guard let step = steps.next(where: { $0.kind.isChange || isStartedInput($0) }) else {
      issues.record(
        "Expected State to change, and it did not.\n"
          + "(Let time go on with advance(by:), or leave this out.\(await hintAtOtherClocks()))",
        place
      )
      return
    }
    if case .input(let input) = step.kind {
      waitingInputs -= 1
      look(at: step, as: "\(input), which had to wait", expected, place)
    } else {
      look(at: step, as: "work in progress", expected, place)
    }
  }

  /// Receives the error that `handleError` was called with, and looks at the State that it leads to.
  public func receiveError(
    fileID: String = #fileID,
    filePath: StaticString = #filePath,
    line: Int = #line,
    column: Int = #column,
    _ expected: Expectation? = nil
  ) async -> SendableError? {
    let place = IssueLocation(fileID, filePath, line, column)
    await clock.idle()
    skipStartedInputs()
    guard let step = steps.next(where: { $0.kind.isError }), case .error(let error) = step.kind
    else {
      issues.record("Expected an error, and there was none.", place)
      return nil
    }
    look(at: step, as: "the error \(error)", expected, place)
    return error
  }

  /// Lets time go on, and all that is due happen.
  public func advance(by duration: Duration) async {
    await clock.advance(by: duration)
  }

  /// Skips whatever has happened and was not looked at.
  public func skip() async {
    await clock.idle()
    while let step = steps.next(where: { _ in true }) {
      if isStartedInput(step) { waitingInputs -= 1 }
      state = step.state ?? state
    }
  }

  /// Ends the test: everything was looked at, and nothing is left running.
  public func finish(
    fileID: String = #fileID,
    filePath: StaticString = #filePath,
    line: Int = #line,
    column: Int = #column
  ) async {
    let place = IssueLocation(fileID, filePath, line, column)
    await clock.idle()
    requireNothingLeft(before: "the end of the test", at: place)
    if isExhaustive, waitingInputs > 0 {
      let count = waitingInputs == 1 ? "1 Input has" : "\(waitingInputs) Inputs have"
      issues.record(
        "\(count) not begun by the end of the test.\n"
          + "(Let time go on until the Inputs before are done.)",
        place
      )
    }
    let running = await engine.running
    if isExhaustive, !running.isEmpty {
      issues.record(
        "Still running at the end of the test: \(running.joined(separator: ", ")).\n"
          + "(Let time go on until it ends, or send the Input that cancels it."
          + "\(await hintAtOtherClocks()))",
        place
      )
    }
    engine.close()
    await clock.idle()
  }
}

@available(*, unavailable)
extension AsyncTestStore: Sendable {}
