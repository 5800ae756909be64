import UIFusionKit
import UIFusionTesting

/// The view model that performs a program.
struct Performer: ReducerViewModel {
  typealias Input = Int
  typealias Action = Int
  typealias State = PlainState

  var state = PlainState()
  let program: Program
  let clock: TestClock
  private let life: Life

  private final class Life {
    private let ended: @Sendable () -> Void
    init(_ ended: @escaping @Sendable () -> Void) { self.ended = ended }
    deinit { ended() }
  }

  init(_ program: Program, _ clock: TestClock, _ freed: @escaping @Sendable () -> Void) {
    self.program = program
    self.clock = clock
    life = Life(freed)
  }

  func transform(_ input: Int) -> [Int] { program.inputs[input] }

  func reduce(state: inout PlainState, action: Int) -> [AsyncEffect<Int>] {
    state.apply(action)
    return program.reactions[action].map { AsyncEffect($0, clock) }
  }

  func handleError(_ error: SendableError) -> [Int] { program.answers[error.code] }
}

extension AsyncEffect<Int> {
  /// The real effect for an effect of a program.
  init(_ tree: Tree, _ clock: TestClock) {
    switch tree {
    case .none: self = .none
    case .action(let action): self = .action(action)
    case .run(let script):
      self = .run(id: script.id, policy: script.policy, background: script.isBackground) { send in
        for step in script.steps {
          if let action = try await script.perform(step, clock) { await send(action) }
        }
      }
    case .runAction(let script):
      self = .runAction(id: script.id, policy: script.policy) {
        try await script.performAll(clock)
      }
    case .runCatchingError(let script, let errorAction):
      let action: @Sendable (SendableError) -> Int = { _ in errorAction }
      self = .runCatchingError(id: script.id, policy: script.policy, errorAction: action) {
        guard let action = try await script.performAll(clock) else { throw CancellationError() }
        return action
      }
    case .cancel(let id): self = .cancel(id: id)
    case .merge(let trees): self = .merge(trees.map { AsyncEffect($0, clock) })
    case .concurrent(let trees): self = .concurrent(trees.map { AsyncEffect($0, clock) })
    case .sleepThen(let id, let time, let action):
      self = .sleepThen(id: id, for: .nanoseconds(time), action: action)
    case .timer(let id, let time, let policy, let action):
      self = .timer(id: id, every: .nanoseconds(time), policy: policy, action: action)
    case .debounce(let id, let time, let tree):
      self = .debounce(id: id, for: .nanoseconds(time), AsyncEffect(tree, clock))
    case .throttle(let id, let time, let latest, let tree):
      self = .throttle(
        id: id,
        for: .nanoseconds(time),
        latest: latest,
        AsyncEffect(tree, clock)
      )
    }
  }
}

extension Tree.Script {
  /// Performs one step, and returns the action that the step sends.
  fileprivate func perform(_ step: Tree.Step, _ clock: TestClock) async throws -> Int? {
    switch step {
    case .send(let action): return action
    case .quit: throw CancellationError()
    case .fail(let error): throw SendableError(description: "error \(error)", code: error)
    case .sleep(let time) where ignoresCancellation:
      // A task of its own is not reached by the run's cancellation.
      let deadline = clock.now + .nanoseconds(time)
      await Task.detached(executorPreference: clock.executor) {
        try? await clock.sleep(until: deadline)
      }.value
      return nil
    case .sleep(let time):
      try await clock.sleep(for: .nanoseconds(time))
      return nil
    }
  }

  /// Performs all steps up to the first action.
  fileprivate func performAll(_ clock: TestClock) async throws -> Int? {
    for step in steps {
      if let action = try await perform(step, clock) { return action }
    }
    return nil
  }
}
