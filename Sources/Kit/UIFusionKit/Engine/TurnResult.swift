/// The result of a turn: committed as a whole, and then released as a whole.
///
/// A turn is one Input, one action sent by an effect, or one segment of an asynchronous function between
/// two suspensions. Nothing of a turn is visible, and no work that it asks for starts, before its result
/// is committed.
///
/// A result is moved and never copied: only its owner can commit or release it.
package struct TurnResult: ~Copyable, Sendable {
  /// The version after the turn.
  package internal(set) var version = 0
  /// The new State in the committer's form; nil if State has not changed.
  package internal(set) var state: (any RenderedState)?
  /// The batch of the Input, and the number of its Inputs that are processed.
  package internal(set) var progress: (batch: InputBatch, processed: Int)?
  /// The events that led to the result, one JSON object per line, with those of earlier turns that were
  /// not stored.
  package internal(set) var trace: [UInt8] = []
  /// The names of the work that runs once this result's work has started.
  package internal(set) var running: [String] = []
  /// The answers to the owners of batches.
  package internal(set) var answers: [Answer] = []

  /// The notes for the watchers of the session; empty unless someone watches.
  package internal(set) var notes: [TurnNote] = []

  /// The engine of the turn; nil for a result without a turn.
  var engine: Engine?
  var work: [Engine.Work] = []
  /// A run that ends with this turn.
  var endedRun: EffectGraph.NodeID?
  /// Whether the view model is settled; nil if that has not changed.
  package internal(set) var isSettled: Bool?
  /// Whether the view model asked for work in this turn.
  var asksForWork = false
  /// Whether the turn has taken an alarm's action, whose first segment belongs to the turn.
  var awaitsAction = false
  /// Whether the turn is the first of a new view model that begins with actions.
  var isFirst = false
  /// Whether State may list visitors from this turn on, or no longer.
  var changesVisitors = false

  /// The progress that the owner of a batch is notified of.
  package struct Answer: Sendable {
    package let batch: InputBatch
    package let progress: InputBatch.Progress
  }

  init() {}

  /// Creates a result without a turn: a State to show once it is stored.
  package init(state: any RenderedState, version: Int, running: [String] = []) {
    self.state = state
    self.version = version
    self.running = running
  }

  /// The changes of alarms, in their order.
  package var alarms: [AlarmChange] {
    work.compactMap { if case .alarm(let change) = $0 { change } else { nil } }
  }

  /// Whether the result must be stored: it changes State, asks for work, is the first of a view model that
  /// begins with actions, advances a batch with a key, or changes whether there are visitors.
  package var isStored: Bool {
    state != nil || asksForWork || isFirst || changesVisitors
      || progress.map { $0.batch.isKeyed } ?? false
  }

  var isEmpty: Bool {
    state == nil && progress == nil && answers.isEmpty && work.isEmpty && isSettled == nil
  }
}

/// The receiver of an engine's turn results.
///
/// Called on the engine, in order; must neither block nor submit Inputs.
package protocol TurnCommitter: AnyObject, Sendable {
  /// Takes the first State of the view model, which counts as committed.
  func begin(with state: any RenderedState, version: Int)

  /// The note of the engine's session, for each thread that runs the engine.
  var runNote: RunNote { get }

  /// Commits a result after the previous ones, and then releases it: see ``TurnResult/release()``.
  ///
  /// Results are shown and released one at a time, in the same order. If the commit fails, the result is
  /// not released, and the engine must be closed.
  func commit(_ result: consuming TurnResult)

  /// The functions that encode and decode the actions of alarms; nil if nothing is stored, and the engine
  /// rings by itself.
  var actionCoding: ActionCoding? { get }

  /// Reports a turn that was rolled back because of its alarms, or an alarm that cannot be decoded.
  func report(_ invalid: InvalidState)

  /// Whether ``report(_:)-(InputRecord)`` is to be called.
  var reportsInputs: Bool { get }

  /// Reports a processed Input.
  func report(_ input: InputRecord)

  /// The duration from which a turn is reported to ``report(_:)-(SlowTurn)``; nil if none is.
  var slowTurn: Duration? { get }

  /// Reports a turn that has taken long.
  func report(_ slow: SlowTurn)

  /// The number of the newest entry, stored or not; 0 if nothing is stored.
  var sequence: Int { get }

  /// The function that delivers a committed message to its receiver; does not retain the committer.
  var deliverMessage: DeliveryFunction { get }

  /// The function that shows the newest views of a followed session until it ends or the task is cancelled;
  /// does not retain the committer.
  var followSession: FollowingFunction { get }

  /// Whether results are stored, with their traces and the names of running work.
  var storesTurns: Bool { get }

  /// Whether too much waits to be committed for another turn to run.
  ///
  /// The committer calls ``TurnResult/resume()`` when this becomes false.
  var isFull: Bool { get }
}

/// Delivers a message, or waits a while for a receiver that has taken it and is still at work on it, given its id.
package typealias DeliveryFunction =
  @Sendable (Message, _ receiver: String?) async -> Delivery

package typealias FollowingFunction =
  @Sendable (
    SessionAddress, _ isForeign: Bool, _ show: @escaping @Sendable (FollowedView) async -> Void
  ) async -> Void

extension TurnCommitter {
  package var runNote: RunNote { RunNote() }
  package var followSession: FollowingFunction { { _, _, _ in } }
  package var storesTurns: Bool { true }
  package var actionCoding: ActionCoding? { nil }
  package func report(_ invalid: InvalidState) {}
  package var reportsInputs: Bool { false }
  package func report(_ input: InputRecord) {}
  package var slowTurn: Duration? { nil }
  package func report(_ slow: SlowTurn) {}
  package var sequence: Int { 0 }
  package var deliverMessage: DeliveryFunction { { _, _ in .failed } }
}

/// A committer that releases every result at once, for a view model in process without a store.
final class ImmediateRelease<State: Sendable>: TurnCommitter {
  private let published: @Sendable (_ state: State, _ version: Int) -> Void
  private let settled: @Sendable (Bool) -> Void

  init(
    published: @escaping @Sendable (_ state: State, _ version: Int) -> Void,
    settled: @escaping @Sendable (Bool) -> Void
  ) {
    self.published = published
    self.settled = settled
  }

  var isFull: Bool { false }
  var storesTurns: Bool { false }

  func begin(with state: any RenderedState, version: Int) {
    if let state = state as? StateValue<State> { published(state.value, version) }
  }

  func commit(_ result: consuming TurnResult) {
    if let state = result.state as? StateValue<State> { published(state.value, result.version) }
    if let isSettled = result.isSettled { settled(isSettled) }
    result.release()
  }
}
