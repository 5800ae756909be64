/// The reactor pattern: `reduce` finds the mutations of an Input, and `mutate` applies them to State.
///
/// Mind the pattern's names: `reduce` may suspend and have side effects; `mutate` returns a new State
/// made from the old one. An Input that leads to several changes over time sends them one by one in
/// ``reduce(_:send:)``. Inputs run one after another, unless ``policy(for:)`` says otherwise.
///
/// ```swift
/// final class CounterReactor: AsyncReactor {
///   enum Input: Codable, Sendable { case increment, reset }
///   enum Mutation: Sendable { case setCount(Int) }
///   struct State: Codable, Equatable, Sendable { @Pulse var count = 0 }
///
///   var currentState = State()
///
///   func reduce(_ input: Input) async -> Mutation {
///     switch input {
///     case .increment: .setCount(currentState.count + 1)
///     case .reset: .setCount(0)
///     }
///   }
///
///   func mutate(_ state: State, mutation: Mutation) async -> State {
///     var state = state
///     switch mutation {
///     case .setCount(let count): state.count = count
///     }
///     return state
///   }
/// }
/// ```
public protocol AsyncReactor: ViewModel, AnyObject where Action == Mutation {
  // Restated so that the compiler infers them from the functions below.
  /// Same as ``ViewModel/Input``.
  associatedtype Input
  /// Same as ``ViewModel/State``.
  associatedtype State

  /// A change of State.
  associatedtype Mutation: Sendable

  /// The State: the first one is set by the reactor, later ones are returned by `mutate`.
  var currentState: State { get set }

  /// Returns the mutation of an Input; may suspend.
  ///
  /// A reactor with ``reduce(_:send:)`` needs no such function.
  nonisolated(nonsending) func reduce(_ input: Input) async -> Mutation

  /// Sends the mutations of an Input over time; each is applied when `send` returns.
  nonisolated(nonsending) func reduce(
    _ input: Input,
    send: nonisolated(nonsending) (_ mutation: Mutation) async -> Void
  ) async

  /// Returns the State with a mutation applied; has no other effect.
  ///
  /// The function may suspend. If State changed meanwhile, the engine calls it again with the newer
  /// State.
  nonisolated(nonsending) func mutate(_ state: State, mutation: Mutation) async -> State

  /// Returns whether an Input waits for the Inputs before it; every Input does by default.
  func policy(for input: Input) -> InputPolicy
}

extension AsyncReactor {
  /// Returns a runner whose turns may suspend.
  public static func turnRunner(of model: Self, in context: EngineContext<Self>) -> AnyTurnRunner {
    AnyTurnRunner(ReactorTurnRunner(model, context))
  }

  /// Ends the process: a reactor implements at least one of the two functions, and this one is called for lack of the
  /// other.
  nonisolated(nonsending) public func reduce(_ input: Input) async -> Mutation {
    preconditionFailure("\(Self.self) implements neither reduce(_:) nor reduce(_:send:): add one")
  }

  /// Sends the single mutation that ``reduce(_:)`` returns.
  nonisolated(nonsending) public func reduce(
    _ input: Input,
    send: nonisolated(nonsending) (_ mutation: Mutation) async -> Void
  ) async {
    await send(await reduce(input))
  }

  /// Makes every Input wait for the Inputs before it.
  public func policy(for input: Input) -> InputPolicy { .inOrder }
}

private final class ReactorTurnRunner<Model: AsyncReactor>: ReplayableTurnRunner {
  let model: Model
  let reporter: Reporter<Model>
  /// The actions that the view model begins with.
  private var first: [Model.Action] = []
  /// The number of changes, which tells a resumed mutation whether State has changed in the meantime.
  private var changes = 0

  init(_ model: Model, _ context: EngineContext<Model>) {
    self.model = model
    if let state = context.resuming?.state { model.currentState = state }
    reporter = Reporter(model, model.currentState, context)
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
    guard let inputs = batch.inputs(of: Model.Input.self) else {
      for mutation in first {
        await mutate(mutation)
        ended()
      }
      return
    }
    let start = reporter.tracer?.now
    await model.reduce(inputs[index]) { mutation in
      guard !Task.isCancelled else { return }
      await mutate(mutation)
      ended()
    }
    reporter.tracer?.end(since: start)
  }

  var suspends: Bool { true }

  func work(on action: any Sendable, ended: () -> Void) async {
    guard let mutation = action as? Model.Mutation else { return }
    await mutate(mutation, isSent: true)
    ended()
    reporter.tracer?.end()
  }

  func change(as version: Int) -> (any RenderedState)? {
    reporter.change(to: model.currentState, as: version)
  }

  func rollBack() {
    // Suspended mutations started from the State that is discarded.
    changes += 1
    model.currentState = reporter.last
  }

  var state: Model.State {
    get { model.currentState }
    set { model.currentState = newValue }
  }

  func redo(_ action: Model.Action) async { await mutate(action) }

  nonisolated(nonsending) private func mutate(
    _ mutation: Model.Mutation,
    isSent: Bool = false
  ) async {
    while true {
      let seen = changes
      let state = await model.mutate(model.currentState, mutation: mutation)
      guard seen == changes else { continue }
      changes += 1
      // Traced only here: concurrent mutations are traced in the order of their application.
      if isSent { reporter.tracer?.receive(mutation) } else { reporter.perform(mutation) }
      model.currentState = state
      return
    }
  }
}
