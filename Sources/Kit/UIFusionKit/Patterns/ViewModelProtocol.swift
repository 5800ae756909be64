/// The synchronous pattern: `transform` turns an Input into actions, and `perform` changes State.
///
/// The actions of an Input are performed in order and appear as one new version of State.
///
/// ```swift
/// struct CounterViewModel: ViewModelProtocol {
///   enum Input: Codable, Sendable { case increase, reset }
///   enum Action: Sendable { case add(Int), reset }
///   struct State: Codable, Equatable, Sendable { var value = 0 }
///
///   var state = State()
///
///   func transform(_ input: Input) -> [Action] {
///     switch input {
///     case .increase: [.add(1)]
///     case .reset: [.reset]
///     }
///   }
///
///   mutating func perform(_ action: Action) {
///     switch action {
///     case .add(let step): state.value += step
///     case .reset: state.value = 0
///     }
///   }
/// }
/// ```
public protocol ViewModelProtocol: ViewModel {
  // Restated so that the compiler infers them from the functions below.
  /// Same as ``ViewModel/Input``.
  associatedtype Input
  /// Same as ``ViewModel/Action``.
  associatedtype Action
  /// Same as ``ViewModel/State``.
  associatedtype State

  /// The State that clients see; `perform` changes it.
  var state: State { get set }

  /// Returns the actions of an Input, in order, without changing anything.
  func transform(_ input: Input) -> [Action]

  /// Performs one action by changing `state`.
  mutating func perform(_ action: Action)
}

extension ViewModelProtocol {
  /// Returns a runner whose turns never suspend.
  public static func turnRunner(of model: Self, in context: EngineContext<Self>) -> AnyTurnRunner {
    AnyTurnRunner(SynchronousTurnRunner(model, context))
  }

  /// Processes one Input without an engine, as in a unit test: transforms it and performs its actions.
  public mutating func send(_ input: Input) {
    for action in transform(input) {
      perform(action)
    }
  }
}

extension ViewModelProtocol where Self: AnyObject {
  /// Processes one Input without an engine; this variant works on a class instance in a constant.
  public func send(_ input: Input) {
    var model = self
    for action in transform(input) {
      model.perform(action)
    }
  }
}

private final class SynchronousTurnRunner<Model: ViewModelProtocol>: ReplayableTurnRunner {
  // Not checked for overlapping accesses: the engine has exclusive access to the model.
  @exclusivity(unchecked) private(set) var model: Model
  let reporter: Reporter<Model>

  init(_ model: Model, _ context: EngineContext<Model>) {
    self.model = model
    if let state = context.resuming?.state { self.model.state = state }
    reporter = Reporter(model, model.state, context)
  }

  func process(_ batch: InputBatch, at index: Int) -> [EffectStep]? {
    for action in actions(of: batch, at: index) {
      reporter.perform(action)
      model.perform(action)
    }
    return []
  }

  func apply(_ action: any Sendable) -> [EffectStep] {
    guard let action = action as? Model.Action else { return [] }
    reporter.tracer?.receive(action)
    model.perform(action)
    return []
  }

  private func actions(of batch: InputBatch, at index: Int) -> [Model.Action] {
    if let inputs = batch.inputs(of: Model.Input.self) {
      reporter.process(inputs[index])
      return model.transform(inputs[index])
    }
    return batch.launch.map { reporter.actions(of: $0, by: model) } ?? []
  }

  func change(as version: Int) -> (any RenderedState)? {
    defer { reporter.tracer?.end() }
    return reporter.change(to: model.state, as: version)
  }

  var state: Model.State {
    get { model.state }
    set { model.state = newValue }
  }

  func redo(_ action: Model.Action) async { model.perform(action) }
}
