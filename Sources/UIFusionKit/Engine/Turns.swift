/// A view model at work.
///
/// Only the four patterns can make one.
public struct Turns {
  let taking: any TurnTaking

  init(_ taking: any TurnTaking) {
    self.taking = taking
  }
}

@available(*, unavailable)
extension Turns: Sendable {}

/// How a pattern takes its turns, with its types hidden from the engine that drives them.
///
/// Erasing the types here keeps the engine free of generics, which would cost more at run time than
/// a turn does.
protocol TurnTaking: AnyObject {
  func policy(of delivery: Delivery, at index: Int) -> InputPolicy

  /// Does all that an Input asks for, and returns the effects to start.
  ///
  /// Nil where that may suspend: then nothing was done, and ``work(on:at:ended:)`` has to.
  func take(_ delivery: Delivery, at index: Int) -> [EffectStep]?

  /// Does all that an Input asks for; `ended` follows each action.
  nonisolated(nonsending) func work(
    on delivery: Delivery,
    at index: Int,
    ended: () -> Void
  ) async

  /// Does an action that an effect has sent, and returns the effects to start.
  func apply(_ action: any Sendable) -> [EffectStep]

  /// Takes note of an effect's error, and returns the effects to start.
  func handle(_ error: SendableError) -> [EffectStep]

  /// Publishes State under this version if it is not what was published last, and announces that
  /// just before.
  func publish(as version: Int, announcing: () -> Void) -> Bool
}

extension TurnTaking {
  func policy(of delivery: Delivery, at index: Int) -> InputPolicy { .inOrder }
  func work(on delivery: Delivery, at index: Int, ended: () -> Void) async {}
  func apply(_ action: any Sendable) -> [EffectStep] { [] }
  func handle(_ error: SendableError) -> [EffectStep] { [] }
}
