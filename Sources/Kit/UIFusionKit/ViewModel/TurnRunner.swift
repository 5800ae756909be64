/// The settings of an engine that a view model's turn runner needs to render States and report events.
///
/// Only an engine creates one; a pattern passes it on.
public struct EngineContext<Model: ViewModel> {
  let render: @Sendable (_ state: Model.State) -> any RenderedState
  let record: (@Sendable (TraceEvent<Model>) -> [UInt8]?)?
  /// Whether events are recorded even while nobody watches.
  let isRecorded: Bool
  let trace: (@Sendable (TraceEvent<Model>) -> Void)?
  let time: any TimeSource
  /// Whether each Input has an ``InputReport``.
  let namesInputs: Bool
  let resuming: ResumePoint<Model.State>?
}

@available(*, unavailable)
extension EngineContext: Sendable {}

/// A running view model, with its type hidden.
///
/// Only the four patterns create one.
public struct AnyTurnRunner {
  let runner: any TurnRunner

  init(_ runner: any TurnRunner) {
    self.runner = runner
  }
}

@available(*, unavailable)
extension AnyTurnRunner: Sendable {}

/// Runs the turns of one view model by the rules of its pattern.
///
/// The engine that drives a runner does not know the view model's types: a generic engine would spend
/// more time on generics than on a turn.
protocol TurnRunner: AnyObject {
  /// Whether a new view model begins with actions.
  var beginsWithActions: Bool { get }

  func policy(of batch: InputBatch, at index: Int) -> InputPolicy

  /// Returns why the view model's rule denies an Input to its sender in the current State; nil if it does not.
  func denial(of batch: InputBatch, at index: Int) -> String?

  /// Processes an Input completely, and returns the effects to start.
  ///
  /// Returns nil if processing may suspend, without having done anything; then call ``work(on:at:ended:)``.
  func process(_ batch: InputBatch, at index: Int) -> [EffectStep]?

  /// Processes an Input that may suspend; calls `ended` after each action.
  nonisolated(nonsending) func work(
    on batch: InputBatch,
    at index: Int,
    ended: () -> Void
  ) async

  /// Performs an action that an effect has sent, and returns the effects to start.
  func apply(_ action: any Sendable) -> [EffectStep]

  /// Finds the children that have set alarms before a restart.
  func findChildren(_ hasAlarms: (_ scope: String) -> Bool)

  /// Performs the action of an alarm, which may suspend; calls `ended` afterwards. See ``suspends``.
  nonisolated(nonsending) func work(on action: any Sendable, ended: () -> Void) async

  /// Whether an action may suspend: an alarm's action is then performed by ``work(on:ended:)``, otherwise by
  /// ``apply(_:)``.
  var suspends: Bool { get }

  /// Handles the error of an effect of a child, or of the view model itself if `scope` is nil, and returns
  /// the effects to start.
  func handle(
    _ error: SendableError,
    of effect: EffectID?,
    within scope: EffectScope?
  ) -> [EffectStep]

  /// Returns State if it differs from the last shown one; it then counts as shown, as `version`.
  func change(as version: Int) -> (any RenderedState)?

  /// Restores the last shown State, because the turn led to an invalid one.
  func rollBack()

  /// The last shown State.
  var shown: any RenderedState { get }

  /// The sessions that the view model follows in its current State.
  var following: [AnyFollowing] { get }

  /// Returns the events since the last call, in their stored form.
  func takeTrace() -> [UInt8]

  /// Starts or stops recording events for watchers.
  func setWatched(_ isWatched: Bool)

  /// Returns the events that watchers have not seen, in their stored form.
  func takeUnseen() -> [UInt8]

  /// Tells a ``SessionEnding`` view model that its session is over.
  func end()
}

extension TurnRunner {
  func policy(of batch: InputBatch, at index: Int) -> InputPolicy { .inOrder }
  func work(on batch: InputBatch, at index: Int, ended: () -> Void) async {}
  func apply(_ action: any Sendable) -> [EffectStep] { [] }
  func work(on action: any Sendable, ended: () -> Void) async {}
  var suspends: Bool { false }
  func findChildren(_ hasAlarms: (_ scope: String) -> Bool) {}
  func handle(
    _ error: SendableError,
    of effect: EffectID?,
    within scope: EffectScope?
  ) -> [EffectStep] { [] }
}
