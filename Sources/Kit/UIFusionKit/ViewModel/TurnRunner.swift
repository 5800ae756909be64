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
  /// Whether a new view model has anything to begin with.
  var begins: Bool { get }

  func policy(of batch: InputBatch, at index: Int) -> InputPolicy

  /// Does all that an Input asks for, and returns the effects to start.
  ///
  /// Nil where that may suspend: then nothing was done, and ``work(on:at:ended:)`` has to.
  func process(_ batch: InputBatch, at index: Int) -> [EffectStep]?

  /// Does all that an Input asks for; `ended` follows each action.
  nonisolated(nonsending) func work(
    on batch: InputBatch,
    at index: Int,
    ended: () -> Void
  ) async

  /// Does an action that an effect has sent, and returns the effects to start.
  func apply(_ action: any Sendable) -> [EffectStep]

  /// Takes note of an effect's error, and returns the effects to start.
  func handle(_ error: SendableError) -> [EffectStep]

  /// State as it is to be shown, where it differs from what was shown last: its version is then
  /// this one.
  func change(as version: Int) -> (any RenderedState)?

  /// Makes State what was shown last: what the turn has made of it cannot stand.
  func takeBack()

  /// State as it was shown last.
  var shown: any RenderedState { get }

  /// What happened since this was asked last, as it is to be stored.
  func takeTrace() -> [UInt8]
}

extension TurnTaking {
  func policy(of batch: InputBatch, at index: Int) -> InputPolicy { .inOrder }
  func work(on batch: InputBatch, at index: Int, ended: () -> Void) async {}
  func apply(_ action: any Sendable) -> [EffectStep] { [] }
  func handle(_ error: SendableError) -> [EffectStep] { [] }
}
