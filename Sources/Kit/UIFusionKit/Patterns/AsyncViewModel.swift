/// The asynchronous pattern: `transform` and `perform` may suspend, and errors go to `handleError`.
///
/// The actions of an Input are performed one after another. State is published whenever `perform`
/// suspends and when an action ends, so clients see a loading flag that is set before an `await`.
/// An error ends only its own action; the next action follows.
///
/// Inputs run one after another. ``policy(for:)`` lets chosen Inputs run while another is suspended.
///
/// Async helper functions of the class must stay on the engine: mark them `nonisolated(nonsending)`, or
/// enable the upcoming feature `NonisolatedNonsendingByDefault` for the whole target.
///
/// ```swift
/// final class CounterViewModel: AsyncViewModel {
///   …
///   var state = State()
///
///   func transform(_ input: Input) async -> [Action] { … }
///
///   func perform(_ action: Action) async throws {
///     state.isLoading = true
///     defer { state.isLoading = false }
///     try await clock.sleep(for: .milliseconds(500))
///     state.value += 1
///   }
///
///   func handleError(_ error: SendableError) async { state.alert = error.description }
/// }
/// ```
public protocol AsyncViewModel: ViewModel, AnyObject {
  // Restated so that the compiler infers them from the functions below.
  /// Same as ``ViewModel/Input``.
  associatedtype Input
  /// Same as ``ViewModel/Action``.
  associatedtype Action
  /// Same as ``ViewModel/State``.
  associatedtype State

  /// The State that clients see; `perform` changes it.
  var state: State { get set }

  /// Returns the actions of an Input, in order.
  nonisolated(nonsending) func transform(_ input: Input) async -> [Action]

  /// Performs one action by changing `state`.
  ///
  /// - Throws: any error; the engine passes it to ``handleError(_:)``.
  nonisolated(nonsending) func perform(_ action: Action) async throws

  /// Responds to the error of an action, once for each action that failed.
  ///
  /// Cancellation is not a failure.
  nonisolated(nonsending) func handleError(_ error: SendableError) async

  /// Responds to the error of one action; calls ``handleError(_:)`` by default.
  nonisolated(nonsending) func handleError(_ error: SendableError, of action: Action) async

  /// Returns whether an Input waits for the Inputs before it; every Input does by default.
  ///
  /// The engine calls this again while the Input waits, so the function must not change anything.
  func policy(for input: Input) -> InputPolicy
}

extension AsyncViewModel {
  /// Returns a runner whose turns may suspend.
  public static func turnRunner(of model: Self, in context: EngineContext<Self>) -> AnyTurnRunner {
    AnyTurnRunner(AsyncTurnRunner(model, context))
  }

  /// Responds to the error as to that of any other action.
  nonisolated(nonsending) public func handleError(
    _ error: SendableError,
    of action: Action
  ) async {
    await handleError(error)
  }

  /// Makes every Input wait for the Inputs before it.
  public func policy(for input: Input) -> InputPolicy { .inOrder }
}

private final class AsyncTurnRunner<Model: AsyncViewModel>: ReportingTurnRunner {
  let model: Model
  let reporter: Reporter<Model>
  /// The actions that the view model begins with.
  private var first: [Model.Action] = []

  init(_ model: Model, _ context: EngineContext<Model>) {
    self.model = model
    if let state = context.resuming?.state { model.state = state }
    reporter = Reporter(model, model.state, context)
  }

  func policy(of batch: InputBatch, at index: Int) -> InputPolicy {
    batch.inputs(of: Model.Input.self).map { model.policy(for: $0[index]) } ?? .inOrder
  }

  func process(_ batch: InputBatch, at index: Int) -> [EffectStep]? {
    guard let launch = batch.launch else {
      if let inputs = batch.inputs(of: Model.Input.self) { reporter.process(inputs[index]) }
      return nil
    }
    first = reporter.actions(of: launch, by: model)
    return first.isEmpty ? [] : nil
  }

  func work(on batch: InputBatch, at index: Int, ended: () -> Void) async {
    var start: Duration?
    var actions: [Model.Action] = []
    if let inputs = batch.inputs(of: Model.Input.self) {
      start = reporter.tracer?.now
      actions = await model.transform(inputs[index])
    } else {
      actions = first
    }
    for action in actions where !Task.isCancelled {
      reporter.perform(action)
      await perform(action)
      ended()
    }
    reporter.tracer?.end(since: start)
  }

  var suspends: Bool { true }

  func work(on action: any Sendable, ended: () -> Void) async {
    guard let action = action as? Model.Action else { return }
    reporter.tracer?.receive(action)
    await perform(action)
    ended()
    reporter.tracer?.end()
  }

  nonisolated(nonsending) private func perform(_ action: Model.Action) async {
    do {
      try await model.perform(action)
    } catch is CancellationError {
    } catch  where !Task.isCancelled {
      let error = SendableError(error)
      reporter.tracer?.fail(error)
      await model.handleError(error, of: action)
    } catch {
      // The action was cancelled: any error is a consequence of that.
    }
  }

  func change(as version: Int) -> (any RenderedState)? {
    reporter.change(to: model.state, as: version)
  }

  var state: Model.State {
    get { model.state }
    set { model.state = newValue }
  }
}
