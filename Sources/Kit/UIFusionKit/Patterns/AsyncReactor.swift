/// The mutating pattern: `reduce` finds out what is to change, and `mutate` changes it.
///
/// Mind the names, which are the pattern's own: `reduce` may wait and has side effects; `mutate` makes
/// the new State of the old one. An Input that leads to several changes over time sends them one by
/// one, in ``reduce(_:send:)``. Inputs run one after another, unless ``policy(for:)`` says otherwise.
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
  // Stated here again, so that they are inferred from the functions below.
  /// As in ``ViewModel``.
  associatedtype Input
  /// As in ``ViewModel``.
  associatedtype State

  /// One change of State.
  associatedtype Mutation: Sendable

  /// The State: at first as the reactor makes it, later as `mutate` has left it.
  var currentState: State { get set }

  /// What an Input changes; may wait.
  nonisolated(nonsending) func reduce(_ input: Input) async -> Mutation

  /// What an Input changes, over time; each mutation is done when `send` returns.
  nonisolated(nonsending) func reduce(
    _ input: Input,
    send: nonisolated(nonsending) (_ mutation: Mutation) async -> Void
  ) async

  /// The State with a change made. Changes nothing itself.
  ///
  /// May wait; where State has changed meanwhile, it is asked again with the newer one.
  nonisolated(nonsending) func mutate(_ state: State, mutation: Mutation) async -> State

  /// Whether an Input waits for those before it; all of them do unless the reactor says.
  func policy(for input: Input) -> InputPolicy
}

extension AsyncReactor {
  /// The turns of this pattern: work that may suspend.
  public static func turns(of model: Self, reporting: Reporting<Self>) -> Turns {
    Turns(ReactorTurns(model, reporting))
  }

  /// Sends the one mutation that ``reduce(_:)`` finds.
  nonisolated(nonsending) public func reduce(
    _ input: Input,
    send: nonisolated(nonsending) (_ mutation: Mutation) async -> Void
  ) async {
    await send(await reduce(input))
  }

  /// Every Input waits for those before it.
  public func policy(for input: Input) -> InputPolicy { .inOrder }
}

private final class ReactorTurns<Model: AsyncReactor>: TurnTaking {
  private let model: Model
  private let reporter: Reporter<Model>
  /// What the view model begins with.
  private var first: [Model.Action] = []
  /// Counts changes, so that one that waited can tell whether it was overtaken.
  private var changes = 0

  init(_ model: Model, _ reporting: Reporting<Model>) {
    self.model = model
    if let state = reporting.resuming?.state { model.currentState = state }
    reporter = Reporter(model, model.currentState, reporting)
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
    guard let inputs = batch.inputs(of: Model.Input.self) else {
      for mutation in first {
        await mutate(mutation)
        ended()
      }
      return
    }
    let start = reporter.now
    await model.reduce(inputs[index]) { mutation in
      guard !Task.isCancelled else { return }
      await mutate(mutation)
      ended()
    }
    reporter.end(since: start)
  }

  func change(as version: Int) -> (any RenderedState)? {
    reporter.change(to: model.currentState, as: version)
  }

  func takeBack() {
    // A mutation that waits has begun with what is taken back.
    changes += 1
    model.currentState = reporter.last
  }

  var begins: Bool { reporter.begins }

  var shown: any RenderedState { reporter.shown }

  func takeTrace() -> [UInt8] { reporter.takeTrace() }

  nonisolated(nonsending) private func mutate(_ mutation: Model.Mutation) async {
    while true {
      let seen = changes
      let state = await model.mutate(model.currentState, mutation: mutation)
      guard seen == changes else { continue }
      changes += 1
      // Not before: mutations that wait beside each other are traced in the order in which State
      // has them.
      reporter.perform(mutation)
      model.currentState = state
      return
    }
  }
}

extension ReactorTurns: Redoing {
  var state: Model.State {
    get { model.currentState }
    set { model.currentState = newValue }
  }

  func redo(_ action: Model.Action) async { await mutate(action) }
}
