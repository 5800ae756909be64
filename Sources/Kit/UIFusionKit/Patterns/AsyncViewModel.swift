/// The asynchronous pattern: `transform` and `perform` may wait, and an error goes to `handleError`.
///
/// An Input's actions are performed one after another. State is published whenever `perform`
/// suspends, and at each action's end: a loading flag set before an `await` is seen while it waits.
/// An error ends its own action only; the next one follows.
///
/// Inputs run one after another. ``policy(for:)`` lets some of them through while another runs.
///
/// A class with async helpers of its own needs them on the engine as well: mark them
/// `nonisolated(nonsending)`, or enable the upcoming feature `NonisolatedNonsendingByDefault` for the
/// whole target.
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
  // Stated here again, so that they are inferred from the functions below.
  /// As in ``ViewModel``.
  associatedtype Input
  /// As in ``ViewModel``.
  associatedtype Action
  /// As in ``ViewModel``.
  associatedtype State

  /// What a client sees; `perform` changes it.
  var state: State { get set }

  /// The actions that an Input stands for, in order.
  nonisolated(nonsending) func transform(_ input: Input) async -> [Action]

  /// Does one action, by changing `state`; what it throws reaches `handleError`.
  nonisolated(nonsending) func perform(_ action: Action) async throws

  /// Called once for each action that failed. Cancellation is no failure and does not come here.
  nonisolated(nonsending) func handleError(_ error: SendableError) async

  /// Whether an Input waits for those before it; all of them do unless the view model says.
  ///
  /// Asked again while the Input waits; changes nothing.
  func policy(for input: Input) -> InputPolicy
}

extension AsyncViewModel {
  /// The turns of this pattern: work that may suspend.
  public static func turns(of model: Self, reporting: Reporting<Self>) -> Turns {
    Turns(AsyncTurns(model, reporting))
  }

  /// Every Input waits for those before it.
  public func policy(for input: Input) -> InputPolicy { .inOrder }
}

private final class AsyncTurns<Model: AsyncViewModel>: TurnTaking {
  private let model: Model
  private let reporter: Reporter<Model>
  /// What the view model begins with.
  private var first: [Model.Action] = []

  init(_ model: Model, _ reporting: Reporting<Model>) {
    self.model = model
    if let state = reporting.resuming?.state { model.state = state }
    reporter = Reporter(model, model.state, reporting)
  }

  func policy(of batch: InputBatch, at index: Int) -> InputPolicy {
    batch.inputs(of: Model.Input.self).map { model.policy(for: $0[index]) } ?? .inOrder
  }

  func process(_ batch: InputBatch, at index: Int) -> [EffectStep]? {
    guard let beginning = batch.beginning else {
      if let inputs = batch.inputs(of: Model.Input.self) { reporter.process(inputs[index]) }
      return nil
    }
    first = reporter.actions(of: beginning, by: model)
    return first.isEmpty ? [] : nil
  }

  func work(on batch: InputBatch, at index: Int, ended: () -> Void) async {
    var start: Duration?
    var actions: [Model.Action] = []
    if let inputs = batch.inputs(of: Model.Input.self) {
      start = reporter.now
      actions = await model.transform(inputs[index])
    } else {
      actions = first
    }
    for action in actions where !Task.isCancelled {
      reporter.perform(action)
      do {
        try await model.perform(action)
      } catch is CancellationError {
      } catch  where !Task.isCancelled {
        let error = SendableError(error)
        reporter.fail(error)
        await model.handleError(error)
      } catch {
        // Whatever a cancelled action fails with, it fails because it was cancelled.
      }
      ended()
    }
    reporter.end(since: start)
  }

  func change(as version: Int) -> (any RenderedState)? {
    reporter.change(to: model.state, as: version)
  }

  func takeBack() { model.state = reporter.last }

  var begins: Bool { reporter.begins }

  var shown: any RenderedState { reporter.shown }

  func takeTrace() -> [UInt8] { reporter.takeTrace() }
}
