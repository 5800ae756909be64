/// The synchronous pattern: `transform` says what an Input means, `perform` does it.
///
/// An Input's actions are performed in order and show as one new version of State.
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
  // Stated here again, so that they are inferred from the functions below.
  /// As in ``ViewModel``.
  associatedtype Input
  /// As in ``ViewModel``.
  associatedtype Action
  /// As in ``ViewModel``.
  associatedtype State

  /// What a client sees; `perform` changes it.
  var state: State { get set }

  /// The actions that an Input stands for, in order. Changes nothing.
  func transform(_ input: Input) -> [Action]

  /// Does one action, by changing `state`.
  mutating func perform(_ action: Action)
}

extension ViewModelProtocol {
  /// The turns of this pattern: done at once.
  public static func turns(of model: Self, reporting: Reporting<Self>) -> Turns {
    Turns(SynchronousTurns(model, reporting))
  }

  /// Takes one Input without an engine, as in a unit test: transforms it and performs its actions.
  public mutating func send(_ input: Input) {
    for action in transform(input) {
      perform(action)
    }
  }
}

extension ViewModelProtocol where Self: AnyObject {
  /// The same for a class, which a constant may hold.
  public func send(_ input: Input) {
    var model = self
    for action in transform(input) {
      model.perform(action)
    }
  }
}

private final class SynchronousTurns<Model: ViewModelProtocol>: TurnTaking {
  // Not checked for overlapping accesses, as in the engine: nobody else reaches it.
  @exclusivity(unchecked) private var model: Model
  private let reporter: Reporter<Model>

  init(_ model: Model, _ reporting: Reporting<Model>) {
    self.model = model
    if let state = reporting.resuming?.state { self.model.state = state }
    reporter = Reporter(model, model.state, reporting)
  }

  func process(_ batch: InputBatch, at index: Int) -> [EffectStep]? {
    for action in actions(of: batch, at: index) {
      reporter.perform(action)
      model.perform(action)
    }
    return []
  }

  private func actions(of batch: InputBatch, at index: Int) -> [Model.Action] {
    if let inputs = batch.inputs(of: Model.Input.self) {
      reporter.process(inputs[index])
      return model.transform(inputs[index])
    }
    return batch.beginning.map { reporter.actions(of: $0, by: model) } ?? []
  }

  func change(as version: Int) -> (any RenderedState)? {
    defer { reporter.end() }
    return reporter.change(to: model.state, as: version)
  }

  func takeBack() { model.state = reporter.last }

  var begins: Bool { reporter.begins }

  var shown: any RenderedState { reporter.shown }

  func takeTrace() -> [UInt8] { reporter.takeTrace() }
}

extension SynchronousTurns: Redoing {
  var state: Model.State {
    get { model.state }
    set { model.state = newValue }
  }

  func redo(_ action: Model.Action) async { model.perform(action) }
}
