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
  var state: State { get set }

  /// The actions that an Input stands for, in order. Changes nothing.
  func transform(_ input: Input) -> [Action]

  /// Does one action, by changing `state`.
  mutating func perform(_ action: Action)
}

extension ViewModelProtocol {
  /// The turns of this pattern: done at once.
  public static func turns(
    of model: Self,
    publish: @escaping (_ state: State, _ version: Int) -> Void
  ) -> any Turns {
    SynchronousTurns(model, publish)
  }

  /// Takes one Input without an engine, as in a unit test: transforms it and performs its actions.
  public mutating func send(_ input: Input) {
    for action in transform(input) {
      perform(action)
    }
  }
}

private final class SynchronousTurns<Model: ViewModelProtocol>: Turns {
  private var model: Model
  private var publisher: Publisher<Model.State>

  init(_ model: Model, _ publish: @escaping (_ state: Model.State, _ version: Int) -> Void) {
    self.model = model
    publisher = Publisher(model.state, publish)
  }

  func take(_ delivery: Delivery, at index: Int) -> Bool {
    if let input = delivery.input(Model.Input.self, at: index) { model.send(input) }
    return true
  }

  func publish(as version: Int) -> Bool {
    publisher.publish(model.state, as: version)
  }
}
