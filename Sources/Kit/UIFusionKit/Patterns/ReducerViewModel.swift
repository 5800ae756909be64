/// The reducer pattern: a pure function changes State and returns effects as values.
///
/// `transform` turns an Input into actions. `reduce` applies each action to State and returns the
/// effects that follow. The engine runs the effects, and each action that an effect sends is reduced
/// as a turn of its own. Only effects wait, so State never changes while a function is suspended.
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
  // Restated so that the compiler infers them from the functions below.
  /// Same as ``ViewModel/Input``.
  associatedtype Input
  /// Same as ``ViewModel/Action``.
  associatedtype Action
  /// Same as ``ViewModel/State``.
  associatedtype State

  /// The State: the first one is set by the view model, later ones by `reduce`.
  var state: State { get set }

  /// Returns the actions of an Input, in order, without changing anything.
  func transform(_ input: Input) -> [Action]

  /// Applies one action to State, and returns the effects to start after the turn.
  ///
  /// The function is pure: the same State and action give the same result. Several effects start in
  /// order and run concurrently.
  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>]

  /// Returns the actions that respond to an effect's error; none by default.
  ///
  /// The engine calls this once for each effect that failed. Cancellation is not a failure.
  func handleError(_ error: SendableError) -> [Action]

  /// Returns the actions that respond to an error; implement only one of the three variants.
  func handleError(_ error: any Error) -> [Action]

  /// Returns the actions that respond to the error of one effect; implement only one of the three variants.
  ///
  /// - Parameters:
  ///   - error: the error.
  ///   - effect: the id of the effect, or of the nearest group around it with an id; nil if none has one.
  /// - Returns: the actions, in order.
  func handleError(_ error: SendableError, of effect: EffectID?) -> [Action]
}

extension ReducerViewModel {
  /// Returns a runner whose turns never suspend; only effects wait.
  public static func turnRunner(of model: Self, in context: EngineContext<Self>) -> AnyTurnRunner {
    AnyTurnRunner(ReducerTurnRunner(model, context))
  }

  /// Returns no action.
  public func handleError(_ error: SendableError) -> [Action] { [] }

  /// Returns the actions for the error as a ``SendableError``.
  public func handleError(_ error: any Error) -> [Action] { handleError(SendableError(error)) }

  /// Returns the actions for the error of any effect.
  public func handleError(_ error: SendableError, of effect: EffectID?) -> [Action] {
    handleError(error as any Error)
  }
}

private final class ReducerTurnRunner<Model: ReducerViewModel>: ReplayableTurnRunner {
  private(set) var model: Model
  let reporter: Reporter<Model>
  private var children = LiveChildren<Model.State>()
  /// The children that left State in the current turn.
  private var departedChildren: Set<EffectScope> = []
  /// The children before the first of them left.
  private var childrenBeforeRemoval: LiveChildren<Model.State>?

  init(_ model: Model, _ context: EngineContext<Model>) {
    self.model = model
    if let state = context.resuming?.state { self.model.state = state }
    reporter = Reporter(model, model.state, context)
  }

  func process(_ batch: InputBatch, at index: Int) -> [EffectStep]? {
    if let inputs = batch.inputs(of: Model.Input.self) {
      reporter.process(inputs[index])
      return perform(model.transform(inputs[index]))
    }
    return batch.launch.map { perform(reporter.actions(of: $0, by: model)) } ?? []
  }

  func apply(_ action: any Sendable) -> [EffectStep] {
    guard let action = action as? Model.Action else { return [] }
    reporter.tracer?.receive(action)
    return reduce(action)
  }

  func handle(
    _ error: SendableError,
    of effect: EffectID?,
    within scope: EffectScope?
  ) -> [EffectStep] {
    reporter.tracer?.fail(error)
    var actions: [Model.Action] = []
    if let scope {
      let effect = effect?.within(nil)
      let links = scope.links[...]
      actions = children.actions(handling: error, of: effect, in: links, &model.state)
        .compactMap { $0 as? Model.Action }
    }
    // An error that no child handles goes to the view model itself.
    let own = scope == nil ? effect : nil
    return perform(actions.isEmpty ? model.handleError(error, of: own) : actions)
  }

  func change(as version: Int) -> (any RenderedState)? {
    defer { reporter.tracer?.end() }
    let change = reporter.change(to: model.state, as: version)
    if change?.invalid == nil { forgetDeparted() }
    return change
  }

  func rollBack() {
    model.state = reporter.last
    // The turn that removed children is undone, and their effects still run.
    if let childrenBeforeRemoval { children = childrenBeforeRemoval }
    for scope in departedChildren { children.add(scope.links[...]) }
    forgetDeparted()
  }

  func findChildren(_ hasAlarms: (_ scope: String) -> Bool) {
    UIFusionKit.findChildren(of: model, hasAlarms) { children.add($0[...]) }
  }

  private func forgetDeparted() {
    departedChildren = []
    childrenBeforeRemoval = nil
  }

  var state: Model.State {
    get { model.state }
    set { model.state = newValue }
  }

  func redo(_ action: Model.Action) async { _ = reduce(action) }

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
    guard !effects.isEmpty else { return removeDeparted() }
    reporter.tracer?.request(effects)
    let steps = effects.map(\.step)
    for step in steps { step.forEachScope { children.add($0.links[...]) } }
    return steps + removeDeparted()
  }

  /// Removes the children that left State; returns the step that ends their effects.
  private func removeDeparted() -> [EffectStep] {
    guard !children.isEmpty else { return [] }
    var gone: Set<EffectScope> = []
    let before = children
    children.removeGone(from: &model.state, within: nil, into: &gone)
    if !gone.isEmpty, childrenBeforeRemoval == nil { childrenBeforeRemoval = before }
    departedChildren.formUnion(gone)
    return gone.isEmpty ? [] : [.leave(gone)]
  }
}
