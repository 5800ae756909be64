/// The reducing pattern: a pure function changes State, and effects are values that it returns.
///
/// `transform` says what an Input means. `reduce` does each action on State, at once, and returns the
/// effects that follow; the engine carries them out, and each action that one sends is reduced in
/// turn. All the waiting is in effects, so that State never changes while something waits.
///
/// ```swift
/// struct Fetcher: ReducerViewModel {
///   enum Input: Codable, Sendable { case fetch, cancel }
///   enum Action: Equatable, Sendable { case fetch, fetched(Int), cancel }
///   struct State: Codable, Equatable, Sendable { var number = 0, isLoading = false }
///   enum EffectName { case fetch }
///
///   var state = State()
///
///   func transform(_ input: Input) -> [Action] {
///     switch input {
///     case .fetch: [.fetch]
///     case .cancel: [.cancel]
///     }
///   }
///
///   func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
///     switch action {
///     case .fetch:
///       state.isLoading = true
///       return [.runAction(id: EffectName.fetch) { .fetched(try await load()) }]
///     case .fetched(let number):
///       state = State(number: number)
///     case .cancel:
///       state.isLoading = false
///       return [.cancel(id: EffectName.fetch)]
///     }
///     return []
///   }
/// }
/// ```
public protocol ReducerViewModel: ViewModel {
  // Stated here again, so that they are inferred from the functions below.
  /// As in ``ViewModel``.
  associatedtype Input
  /// As in ``ViewModel``.
  associatedtype Action
  /// As in ``ViewModel``.
  associatedtype State

  /// The State: at first as the view model makes it, later as `reduce` has left it.
  var state: State { get set }

  /// The actions that an Input stands for, in order. Changes nothing.
  func transform(_ input: Input) -> [Action]

  /// Does one action on State, and returns the effects to start when the turn is over.
  ///
  /// Pure: the same State and action give the same result. Several effects are started in order and
  /// run beside each other.
  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>]

  /// The actions with which to answer an effect's error; none unless the view model says.
  ///
  /// Called once for each effect that failed. Cancellation is no failure and does not come here.
  func handleError(_ error: SendableError) -> [Action]

  /// The same, for a view model that takes any error: implement one of the two.
  func handleError(_ error: any Error) -> [Action]
}

extension ReducerViewModel {
  /// The turns of this pattern: reduced at once, with effects beside.
  public static func turns(of model: Self, reporting: Reporting<Self>) -> Turns {
    Turns(ReducerTurns(model, reporting))
  }

  /// No action.
  public func handleError(_ error: SendableError) -> [Action] { [] }

  /// The actions for the error as a ``SendableError``.
  public func handleError(_ error: any Error) -> [Action] { handleError(SendableError(error)) }
}

private final class ReducerTurns<Model: ReducerViewModel>: TurnTaking {
  private var model: Model
  private let reporter: Reporter<Model>

  init(_ model: Model, _ reporting: Reporting<Model>) {
    self.model = model
    if let state = reporting.resuming?.state { self.model.state = state }
    reporter = Reporter(model, model.state, reporting)
  }

  func process(_ batch: InputBatch, at index: Int) -> [EffectStep]? {
    if let inputs = batch.inputs(of: Model.Input.self) {
      reporter.process(inputs[index])
      return perform(model.transform(inputs[index]))
    }
    return batch.beginning.map { perform(reporter.actions(of: $0, by: model)) } ?? []
  }

  func apply(_ action: any Sendable) -> [EffectStep] {
    guard let action = action as? Model.Action else { return [] }
    reporter.receive(action)
    return reduce(action)
  }

  func handle(_ error: SendableError) -> [EffectStep] {
    reporter.fail(error)
    return perform(model.handleError(error as any Error))
  }

  func change(as version: Int) -> (any RenderedState)? {
    defer { reporter.end() }
    return reporter.change(to: model.state, as: version)
  }

  func takeBack() { model.state = reporter.last }

  var begins: Bool { reporter.begins }

  var shown: any RenderedState { reporter.shown }

  func takeTrace() -> [UInt8] { reporter.takeTrace() }

  private func perform(_ actions: [Model.Action]) -> [EffectStep] {
    var steps: [EffectStep] = []
    for action in actions {
      reporter.perform(action)
      steps += reduce(action)
    }
    return steps
  }

  private func reduce(_ action: Model.Action) -> [EffectStep] {
    var state = model.state
    let effects = model.reduce(state: &state, action: action)
    model.state = state
    guard !effects.isEmpty else { return [] }
    reporter.ask(for: effects)
    return effects.map(\.step)
  }
}

extension ReducerTurns: Redoing {
  var state: Model.State {
    get { model.state }
    set { model.state = newValue }
  }

  func redo(_ action: Model.Action) async { _ = reduce(action) }
}
