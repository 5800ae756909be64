public import UIFusionKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A store that tests a view model step by step: each Input, each received action, each State.
///
/// A test states everything that happens: it describes each expected State by changing the previous one,
/// receives every action that an effect sends, and leaves nothing running at the end. A difference is
/// recorded as an issue at the line of the step.
///
/// Time stands still until ``advance(by:)``. Each step first waits until nothing can happen without time
/// passing, so results are exact and repeatable.
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
  /// A function that changes the previous State into the expected one.
  public typealias Expectation = (_ state: inout Model.State) throws -> Void

  /// The clock that the view model waits on.
  public let clock: TestClock

  /// The topics of the view model, shared only with the test.
  public let topics: Topics

  /// Whether the test must state everything that happens; true by default.
  ///
  /// Otherwise only the expectations that the test states are checked.
  public var isExhaustive = true

  /// The State after the last step that was checked.
  public internal(set) var state: Model.State

  /// The number of sent Inputs that wait for earlier ones.
  var waitingInputs = 0
  /// The alarms that the test has checked.
  var expectedAlarms: [String: Date] = [:]

  let engine: Engine
  let steps: StepRecorder<Model>
  let issues: IssueReporter

  /// Creates the view model with its own clock, and starts it.
  ///
  /// Check the State after the actions of `started` with ``change(fileID:filePath:line:column:_:)``.
  ///
  /// - Parameters:
  ///   - clock: the clock, for a test that sets its date; at zero by default.
  ///   - adjust: changes the dependencies, for example to random numbers from a seed.
  ///   - make: creates the view model.
  public convenience init(
    clock: TestClock = TestClock(),
    _ adjust: (inout Dependencies) -> Void = { _ in },
    _ make: @Sendable (_ dependencies: Dependencies) throws -> Model
  ) rethrows {
    try self.init(clock, adjust, issues: .testing, make)
    engine.prepare(.started)
    engine.resume()
  }

  /// Creates and starts a view model without dependencies.
  public convenience init(
    viewModel make: @autoclosure @Sendable () throws -> Model
  ) rethrows {
    try self.init { _ in try make() }
  }

  init(
    _ clock: TestClock = TestClock(),
    _ adjust: (inout Dependencies) -> Void = { _ in },
    from stored: Model.State? = nil,
    _ alarms: [Alarm] = [],
    issues: IssueReporter,
    _ make: @Sendable (_ dependencies: Dependencies) throws -> Model
  ) rethrows {
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
      alarms: alarms,
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

  /// Sends an Input, and checks the State after its turn, or after its work up to the first wait.
  ///
  /// For an Input that has to wait for earlier ones, omit the closure. Once time has passed, check its State
  /// with ``change(fileID:filePath:line:column:_:)``.
  ///
  /// - Parameters:
  ///   - input: the Input.
  ///   - sender: the `InputSender.identity` of the Input; nil for an anonymous sender. A view model's
  ///     rule is not asked: call its `access(_:to:)`.
  ///   - session: the `InputSender.session` of the Input, if another session sends it: replies go there, and are checked
  ///     by ``expectSent(_:to:isRefused:because:fileID:filePath:line:column:)``.
  ///   - fileID: where to report a failure.
  ///   - filePath: where to report a failure.
  ///   - line: where to report a failure.
  ///   - column: where to report a failure.
  ///   - expected: changes the last State to the one that is expected.
  public func send(
    _ input: Model.Input,
    from sender: Identity? = nil,
    of session: String? = nil,
    fileID: String = #fileID,
    filePath: StaticString = #filePath,
    line: Int = #line,
    column: Int = #column,
    _ expected: Expectation? = nil
  ) async {
    let place = IssueLocation(fileID, filePath, line, column)
    await clock.idle()
    requireNothingLeft(before: "sending \(input)", at: place)
    _ = engine.submit(InputBatch([input], from: sender, of: session))
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

  /// Receives the next action that an effect has sent, and checks the State after it.
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

  /// Receives the next action that an effect has sent, if it matches, and checks the State after it.
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

  /// Checks the next State of work in progress: of `perform`, of a mutation, or of an Input that had to
  /// wait.
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

  /// Receives the error that was passed to `handleError`, and checks the State after it.
  @discardableResult
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

  /// Advances time, and runs everything that is due.
  public func advance(by duration: Duration) async {
    await clock.advance(by: duration)
  }

  /// Skips all steps that were not checked.
  public func skip() async {
    await clock.idle()
    while take() != nil {}
  }

  /// Ends the test, and records an issue if a step was not checked or work is still running.
  ///
  /// A ``SessionEnding`` view model is then told that its session has ended.
  ///
  /// - Parameters:
  ///   - effects: the ids of effects that never end, such as a timer of `started`, of the view model or its
  ///     children; they are cancelled, and an issue is recorded for each that is not running.
  ///   - fileID: the file where issues are recorded, as Swift Testing names it.
  ///   - filePath: its path.
  ///   - line: the line there.
  ///   - column: the column there.
  public func finish(
    cancelling effects: (any Hashable & Sendable)...,
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
    let missing = await engine.cancel(effects.map { EffectID($0) })
    if isExhaustive, !missing.isEmpty {
      issues.record(
        "Not running at the end of the test: \(missing.map(\.description).joined(separator: ", ")).\n"
          + "(Leave it out of finish(cancelling:).)",
        place
      )
    }
    await clock.idle()
    let running = await engine.running
    if isExhaustive, !running.isEmpty {
      issues.record(
        "Still running at the end of the test: \(running.joined(separator: ", ")).\n"
          + "(Let time go on until it ends, or send the Input that cancels it."
          + "\(await hintAtOtherClocks()))",
        place
      )
    }
    if isExhaustive, let text = await unexpectedAlarms() { issues.record(text, place) }
    if isExhaustive, let text = await unexpectedMessages() { issues.record(text, place) }
    engine.close(isOver: true)
    await clock.idle()
  }
}

@available(*, unavailable)
extension AsyncTestStore: Sendable {}
