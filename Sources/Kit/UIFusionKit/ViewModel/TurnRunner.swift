/// The settings of an engine that a view model's turn runner needs: how States are rendered, and who is
/// told of events.
///
/// Only an engine creates one; a pattern passes it on.
public struct EngineContext<Model: ViewModel> {
  let render: @Sendable (_ state: Model.State) -> any RenderedState
  let record: (@Sendable (TraceEvent<Model>) -> [UInt8]?)?
  /// Whether events are recorded also while nobody watches.
  let isRecorded: Bool
  let trace: (@Sendable (TraceEvent<Model>) -> Void)?
  let time: any TimeSource
  /// Whether each Input has an ``InputReport``.
  let namesInputs: Bool
  let resuming: ResumePoint<Model.State>?
}

@available(*, unavailable)
extension EngineContext: Sendable {}

/// A view model at work, with its type hidden.
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
  /// Whether a new view model has actions to begin with.
  var begins: Bool { get }

  func policy(of batch: InputBatch, at index: Int) -> InputPolicy

  /// Processes an Input completely, and returns the effects to start.
  ///
  /// Returns nil if processing may suspend. Nothing is done then; call ``work(on:at:ended:)``.
  func process(_ batch: InputBatch, at index: Int) -> [EffectStep]?

  /// Processes an Input that may suspend; calls `ended` after each action.
  nonisolated(nonsending) func work(
    on batch: InputBatch,
    at index: Int,
    ended: () -> Void
  ) async

  /// Performs an action that an effect has sent, and returns the effects to start.
  func apply(_ action: any Sendable) -> [EffectStep]

  /// Looks for the children that have alarms from before a restart.
  func findChildren(_ hasAlarms: (_ scope: String) -> Bool)

  /// Performs the action of an alarm that may suspend; calls `ended` afterwards. See ``suspends``.
  nonisolated(nonsending) func work(on action: any Sendable, ended: () -> Void) async

  /// Whether an action may suspend, so that an alarm's is performed by ``work(on:ended:)``, else by ``apply(_:)``.
  var suspends: Bool { get }

  /// Handles the error of an effect of a child, or of the view model itself if `scope` is nil, and returns
  /// the effects to start.
  func handle(
    _ error: SendableError,
    of effect: EffectID?,
    within scope: EffectScope?
  ) -> [EffectStep]

  /// Returns State if it differs from the State shown last, and takes it for shown as `version`.
  func change(as version: Int) -> (any RenderedState)?

  /// Sets State back to the State shown last, because the turn led to one that is invalid.
  func rollBack()

  /// The State shown last.
  var shown: any RenderedState { get }

  /// The sessions that the view model follows in its current State.
  var following: [AnyFollowing] { get }

  /// Returns the events since the last call, in the form that is stored.
  func takeTrace() -> [UInt8]

  /// Records events for those who watch, or ceases to.
  func setWatched(_ isWatched: Bool)

  /// Returns the events that those who watch have not seen, in the form that is stored.
  func takeUnseen() -> [UInt8]

  /// Tells the view model that its session is over, if it wants to know.
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
