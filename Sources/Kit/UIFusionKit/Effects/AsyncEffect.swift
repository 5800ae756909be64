/// Work beside the State: what `reduce` asks for, and the engine carries out.
///
/// An effect is a value: making one does nothing. The engine starts the effects of a turn when the
/// turn is over, and no effect holds up what comes next. What an effect sends are Actions.
///
/// An effect with an id can be cancelled by it, wherever it stands. Once cancelled, nothing of it
/// arrives any more, even if its work ignores cancellation.
public struct AsyncEffect<Action: Sendable>: Sendable {
  let step: EffectStep

  /// Does nothing.
  public static var none: AsyncEffect { AsyncEffect(step: .none) }

  /// Sends an action, as a turn of its own, after what was sent before it.
  public static func action(_ action: Action) -> AsyncEffect {
    AsyncEffect(step: .send(action))
  }

  /// Cancels the effects of that id, running or waiting.
  public static func cancel(id: some Hashable & Sendable) -> AsyncEffect {
    AsyncEffect(step: .cancel(EffectID(id)))
  }

  /// Carries out effects one after another: each starts when the one before it is over.
  ///
  /// What TCA, Combine and Rx call `merge` runs effects side by side; here that is `concurrent`.
  public static func merge(_ effects: [AsyncEffect]) -> AsyncEffect {
    AsyncEffect(step: .group(nil, isSerial: true, effects.map(\.step)))
  }

  /// Carries out effects one after another.
  public static func merge(_ effects: AsyncEffect...) -> AsyncEffect {
    .merge(effects)
  }

  /// Carries out effects all at once.
  public static func concurrent(_ effects: [AsyncEffect]) -> AsyncEffect {
    AsyncEffect(step: .group(nil, isSerial: false, effects.map(\.step)))
  }

  /// Carries out effects all at once.
  public static func concurrent(_ effects: AsyncEffect...) -> AsyncEffect {
    .concurrent(effects)
  }
}

// MARK: - Running

extension AsyncEffect {
  /// Runs work that may wait, off the engine, and may send any number of actions.
  ///
  /// What it throws reaches `handleError` once; cancellation does not. It can be cancelled by its id;
  /// the policy says what to do where that id is running already. Nobody waits for work in the
  /// background: what goes on for ever is such work.
  public static func run(
    id: (any Hashable & Sendable)? = nil,
    policy: EffectPolicy = .replace,
    background: Bool = false,
    operation: @escaping @concurrent @Sendable (_ send: Send<Action>) async throws -> Void
  ) -> AsyncEffect {
    let run = EffectRun(
      id: id.map { EffectID($0) },
      policy: policy,
      isBackground: background,
      work: .operation { send in try await operation(Send { await send($0) }) }
    )
    return AsyncEffect(step: .run(run))
  }

  /// Runs work that ends in one action, or in none.
  public static func runAction(
    id: (any Hashable & Sendable)? = nil,
    policy: EffectPolicy = .replace,
    operation: @escaping @concurrent @Sendable () async throws -> Action?
  ) -> AsyncEffect {
    action(id, policy, operation)
  }

  /// Runs work that ends in one action; where it throws, in the action that stands for its error.
  public static func runCatchingError(
    id: (any Hashable & Sendable)? = nil,
    policy: EffectPolicy = .replace,
    errorAction: @escaping @Sendable (_ error: SendableError) -> Action,
    operation: @escaping @concurrent @Sendable () async throws -> Action
  ) -> AsyncEffect {
    action(id, policy) {
      do {
        return try await operation()
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        return errorAction(SendableError(error))
      }
    }
  }

  private static func action(
    _ id: (any Hashable & Sendable)?,
    _ policy: EffectPolicy,
    _ operation: @escaping @concurrent @Sendable () async throws -> Action?
  ) -> AsyncEffect {
    let work = EffectRun.Work.action { try await operation() }
    return AsyncEffect(
      step: .run(EffectRun(id: id.map { EffectID($0) }, policy: policy, work: work))
    )
  }
}

// MARK: - Description

extension AsyncEffect: CustomStringConvertible {
  /// What it does, without what it carries.
  public var description: String { step.description }
}
