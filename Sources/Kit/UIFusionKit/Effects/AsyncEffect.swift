#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A side effect that `reduce` returns and the engine runs.
///
/// An effect is a value: creating one does nothing. The engine starts the effects of a turn when the
/// turn is committed, and no effect blocks the next turn. An effect sends Actions.
///
/// An effect with an id can be cancelled by it, at any depth of a group. A cancelled effect delivers
/// nothing more, even if its work ignores cancellation.
public struct AsyncEffect<Action: Sendable>: Sendable {
  let step: EffectStep

  /// An effect that does nothing.
  public static var none: AsyncEffect { AsyncEffect(step: .none) }

  /// Returns an effect that sends an action as a turn of its own, after the actions sent before it.
  public static func action(_ action: Action) -> AsyncEffect {
    AsyncEffect(step: .send(action))
  }

  /// Returns an effect that cancels the effects with an id, running or queued.
  public static func cancel(id: some Hashable & Sendable) -> AsyncEffect {
    AsyncEffect(step: .cancel(EffectID(id)))
  }

  /// An effect by which a child asks its parent to remove it: the parent gets the action that its ``Child``
  /// has for this.
  ///
  /// Does nothing in a view model that is not a child.
  public static var dismiss: AsyncEffect { AsyncEffect(step: .dismiss) }

  /// Returns an effect that runs effects one after another: each starts when the previous one ends.
  ///
  /// The `merge` of TCA, Combine and Rx runs effects side by side; here that is `concurrent`.
  public static func merge(_ effects: [AsyncEffect]) -> AsyncEffect {
    AsyncEffect(step: .group(nil, isSerial: true, effects.map(\.step)))
  }

  /// Returns an effect that runs effects one after another.
  public static func merge(_ effects: AsyncEffect...) -> AsyncEffect {
    .merge(effects)
  }

  /// Returns an effect that runs effects concurrently, and ends when all of them have.
  public static func concurrent(_ effects: [AsyncEffect]) -> AsyncEffect {
    AsyncEffect(step: .group(nil, isSerial: false, effects.map(\.step)))
  }

  /// Returns an effect that runs effects concurrently, and ends when all of them have.
  public static func concurrent(_ effects: AsyncEffect...) -> AsyncEffect {
    .concurrent(effects)
  }
}

// MARK: - Running

extension AsyncEffect {
  /// Returns an effect that runs asynchronous work off the engine and may send any number of actions.
  ///
  /// An error reaches `handleError` once; cancellation does not.
  ///
  /// - Parameters:
  ///   - id: the id by which the effect can be cancelled.
  ///   - policy: how the effect treats a running effect with its id.
  ///   - background: whether the effect does not count as unsettled. Use it for work that never ends.
  ///   - operation: the work; called on the executor of ``Dependencies``.
  /// - Returns: the effect.
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

  /// Returns an effect that runs asynchronous work and sends the action that it returns, if any.
  public static func runAction(
    id: (any Hashable & Sendable)? = nil,
    policy: EffectPolicy = .replace,
    operation: @escaping @concurrent @Sendable () async throws -> Action?
  ) -> AsyncEffect {
    action(id, policy, operation)
  }

  /// Returns an effect that runs asynchronous work and sends the action that it returns, or, if the work
  /// throws, the action for its error.
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
  /// The structure of the effect with its ids, without actions.
  public var description: String { step.description }
}

/// A function by which a running effect sends actions.
///
/// Each action is a turn of its own, in the order of arrival; the call returns when that
/// turn is over. After the effect is cancelled, or its engine closed, actions are dropped.
public struct Send<Action: Sendable>: Sendable {
  private let deliver: @concurrent @Sendable (Action) async -> Void

  /// Creates a value that sends to a function, for the test of an effect.
  public init(_ deliver: @escaping @concurrent @Sendable (Action) async -> Void) {
    self.deliver = deliver
  }

  /// Sends an action.
  public func callAsFunction(_ action: Action) async {
    await deliver(action)
  }
}

/// Messages: Inputs for other sessions, delivered even if either process restarts in the meantime.
extension AsyncEffect where Action: Codable {
  /// Returns an effect that sends an Input to another hosted session.
  ///
  /// The message is stored with the turn that sends it, and handed over after the commit: it is delivered at
  /// least once, applied once, and in order for each address. While the receiver is busy or unreachable, the
  /// message waits, and keeps its session from expiring. It is sent even if the child that sent it has left
  /// State. The message is dropped if the receiver has ended, belongs to another identity, or refuses the
  /// Input. A ``Secret`` in the Input does not arrive. In process, without other sessions, nothing is handed
  /// over.
  ///
  /// A session holds at most 1,000 messages and alarms, 256 KiB in total: an Input that exceeds a limit is
  /// rejected.
  ///
  /// - Parameters:
  ///   - input: an Input of the receiver's view model.
  ///   - address: the receiver.
  ///   - refusal: the action that the view model gets if the message is dropped; stored and delivered like an
  ///     alarm's.
  /// - Returns: the effect.
  public static func send(
    _ input: some Encodable & Sendable,
    to address: SessionAddress,
    ifRefused refusal: Action? = nil
  ) -> AsyncEffect {
    AsyncEffect(step: .message(input, to: address, ifRefused: refusal))
  }

  /// Returns an effect that answers a session's message with an Input of the asking session's view model.
  ///
  /// ```swift
  /// case .book(let hour):
  ///   guard state.isFree(hour) else { return [.reply(Desk.Input.refused(hour))] }
  ///   state.bookings.append(hour)
  ///   return [.reply(Desk.Input.booked(hour))]
  /// ```
  ///
  /// A reply is a message, with the same promises. Unlike others, it reaches the session that has asked even if that one
  /// belongs to an identity whose sessions this one may not use; no rule of its view model is asked. In a session of
  /// another identity, or with a sender that belongs to nobody, what the reply leads to has the rights of nobody.
  ///
  /// - Parameters:
  ///   - input: an Input of the view model that has asked.
  ///   - session: the id of the session that has asked. To answer later, keep ``InputSender/session`` in State or in an
  ///     action. Take it from nowhere else: an id in an Input may be anybody's. If nil, no session has asked, and the
  ///     effect does nothing: whoever sent the Input sees State.
  ///   - refusal: the action that the view model gets if the session has ended, or does not know the Input.
  /// - Returns: the effect.
  public static func reply(
    _ input: some Encodable & Sendable,
    to session: String? = InputSender.session,
    ifRefused refusal: Action? = nil
  ) -> AsyncEffect {
    AsyncEffect(step: .reply(input, to: session, ifRefused: refusal))
  }
}

extension EffectStep {
  /// Returns a step that sends a message.
  static func message<Action: Sendable>(
    _ input: some Sendable,
    to address: SessionAddress,
    ifRefused refusal: Action?
  ) -> EffectStep {
    let refusal = refusal.map { AlarmAction.value($0) }
    return .alarm(.send(MessageRequest(address: address, input: .value(input), refusal: refusal)))
  }

  /// Returns a step that replies to a session; none without a session.
  static func reply<Action: Sendable>(
    _ input: some Sendable,
    to session: String?,
    ifRefused refusal: Action?
  ) -> EffectStep {
    guard let session else { return .none }
    var request = MessageRequest(address: .id(session), input: .value(input))
    request.refusal = refusal.map { .value($0) }
    request.isReply = true
    return .alarm(.send(request))
  }
}

/// Effects that wait, by the engine's clock.
extension AsyncEffect {
  /// Returns an effect that sends an action after a duration.
  public static func sleepThen(
    id: (any Hashable & Sendable)? = nil,
    for duration: Duration,
    action: Action
  ) -> AsyncEffect {
    let pause = EffectStep.run(EffectRun(work: .pause(duration)))
    return AsyncEffect(
      step: .group(id.map { EffectID($0) }, isSerial: true, [pause, .send(action)])
    )
  }

  /// Returns an effect that sends an action at each interval, first after one interval, until it is
  /// cancelled.
  ///
  /// A late timer, because the process paused or the store hangs, ticks once, and then when its next tick is
  /// due. Neither the timer nor the work that its ticks start counts as unsettled. A timer does not keep its
  /// view model alive. A timer whose interval is zero or less fails at once: see `handleError`.
  public static func timer(
    id: some Hashable & Sendable,
    every interval: Duration,
    policy: EffectPolicy = .replace,
    action: Action
  ) -> AsyncEffect {
    let run = EffectRun(
      id: EffectID(id),
      policy: policy,
      isBackground: true,
      work: .ticks(every: interval, action)
    )
    return AsyncEffect(step: .run(run))
  }

  /// Returns an effect that runs once no effect with its id has been requested for a duration.
  ///
  /// A newer effect with the id replaces it, while it waits and while it runs.
  public static func debounce(
    id: some Hashable & Sendable,
    for duration: Duration,
    _ effect: AsyncEffect
  ) -> AsyncEffect {
    let pause = EffectStep.run(EffectRun(work: .pause(duration)))
    return AsyncEffect(step: .group(EffectID(id), isSerial: true, [pause, effect.step]))
  }

  /// Returns an effect that runs at most once per duration.
  ///
  /// The first effect runs at once. Of the effects that follow within the duration, the last runs at its
  /// end if `latest` is true; the others are dropped.
  public static func throttle(
    id: some Hashable & Sendable,
    for duration: Duration,
    latest: Bool,
    _ effect: AsyncEffect
  ) -> AsyncEffect {
    AsyncEffect(step: .throttle(EffectID(id), duration, latest: latest, effect.step))
  }
}

/// The error of a timer that would tick for ever without time going on.
struct UselessInterval: Error, CustomStringConvertible {
  let interval: Duration

  var description: String {
    "the interval of a timer must be longer than zero, and this one is \(interval)"
  }
}

/// Alarms: actions that are due at a calendar time, even if the process restarts in the meantime.
extension AsyncEffect where Action: Codable {
  /// Returns an effect that sets an alarm: the view model gets the action at the date, or soon after.
  ///
  /// The alarm is stored with the turn that sets it. It wakes a sleeping session, survives restarts and
  /// deploys, and is removed in the commit of its action's turn, so that it is delivered once. A newer alarm
  /// with an equal id, as Swift prints ids, replaces it. It is cancelled when the child that set it leaves
  /// State. It rings in the next whole millisecond, and at once if it is set for the past. Keep the action's
  /// case decodable for as long as an alarm may be set.
  ///
  /// A session holds at most 1,000 alarms and messages, 256 KiB in total; a printed id has at most 1,024
  /// bytes. An Input that exceeds a limit is rejected.
  public static func alarm(
    id: some Hashable & Sendable,
    at date: Date,
    _ action: Action
  ) -> AsyncEffect {
    AsyncEffect(step: .alarm(.set(EffectID(id), .at(date), .value(action))))
  }

  /// Returns an effect that sets an alarm a duration after the effect starts.
  public static func alarm(
    id: some Hashable & Sendable,
    after duration: Duration,
    _ action: Action
  ) -> AsyncEffect {
    AsyncEffect(step: .alarm(.set(EffectID(id), .after(duration), .value(action))))
  }

  /// Returns an effect that cancels the alarm with an id, if it is set.
  public static func cancelAlarm(id: some Hashable & Sendable) -> AsyncEffect {
    AsyncEffect(step: .alarm(.cancel(EffectID(id))))
  }
}
