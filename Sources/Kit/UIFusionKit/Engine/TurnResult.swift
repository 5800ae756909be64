/// What a turn has come to: committed as one, and then released as one.
///
/// A turn is one Input, one action that an effect has sent, or one stretch of an asynchronous function
/// between two suspensions. Nobody sees anything of it, and nothing that it asks for starts, before
/// its result is committed.
///
/// It is moved and never copied: who has it is the only one who may commit or release it.
package struct TurnResult: ~Copyable, Sendable {
  /// The version that is current after it.
  package internal(set) var version = 0
  /// The new State, as the engine's owner wants it; nil where State is what it was.
  package internal(set) var state: (any RenderedState)?
  /// The batch that the Input belongs to, and how many of its Inputs are processed now.
  package internal(set) var progress: (batch: InputBatch, processed: Int)?
  /// What led to it: an object of JSON a line, the lines of turns before it that were not stored
  /// included.
  package internal(set) var trace: [UInt8] = []
  /// The names of what runs once its work has started.
  package internal(set) var running: [String] = []
  /// Who is to be told what.
  package internal(set) var answers: [Answer] = []

  /// Whose turn it was; nil for that of no turn.
  var engine: Engine?
  var work: [Engine.Work] = []
  /// A run that is over with this turn, though it still has to say so.
  var lastOf: EffectGraph.NodeID?
  /// Whether nothing that anybody waits for is left; nil where that is what it was.
  package internal(set) var isSettled: Bool?
  /// Whether the view model asked for work in this turn, and not in one before.
  var asksForWork = false
  /// Whether a new view model has begun with it.
  var isFirst = false

  /// What a batch's owner is told.
  package struct Answer: Sendable {
    package let batch: InputBatch
    package let progress: InputBatch.Progress
  }

  init() {}

  /// That of no turn: a State that is to be shown once it is stored.
  package init(state: any RenderedState, version: Int, running: [String] = []) {
    self.state = state
    self.version = version
    self.running = running
  }

  /// Whether it has to be stored: it changes State, asks for work, is the first of a view model that begins
  /// by itself, or brings on a batch with a key.
  package var isStored: Bool {
    state != nil || asksForWork || isFirst || progress.map { $0.batch.isKeyed } ?? false
  }

  var isEmpty: Bool {
    state == nil && progress == nil && answers.isEmpty && work.isEmpty && isSettled == nil
  }
}

/// A State as a committer wants it: as bytes where it is hosted.
///
/// A class, so that to find out which is a comparison of types and no more.
package protocol RenderedState: AnyObject, Sendable {
  /// Why it cannot stand; nil where it can.
  var unfit: InvalidState? { get }
  /// Whether a turn takes long for its length: it is not for a server's thread then.
  var isLarge: Bool { get }
}

extension RenderedState {
  package var unfit: InvalidState? { nil }
  package var isLarge: Bool { false }
}

/// A State as it is.
package final class StateValue<State: Sendable>: RenderedState {
  package let value: State

  package init(_ value: State) {
    self.value = value
  }
}

/// Where an engine hands over what its turns come to.
///
/// Called on the engine, in order; it must neither wait nor submit anything.
package protocol TurnCommitter: AnyObject, Sendable {
  /// The State that the view model begins with: as one that stands already.
  func begin(with state: any RenderedState, version: Int)

  /// Commits a result, after those before it. Then, in the same order and one at a time, it is shown
  /// and released: see ``TurnResult/release()``. Never, if the commit fails: the engine has to be closed
  /// then.
  func commit(_ result: consuming TurnResult)

  /// Whether so much waits to be committed that no more turns are to be taken. Once that is over,
  /// ``TurnResult/resume()`` has to be called.
  var isFull: Bool { get }
}

/// Releases every result at once: for a view model in process, of which nothing is stored.
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

  func begin(with state: any RenderedState, version: Int) {
    if let state = state as? StateValue<State> { published(state.value, version) }
  }

  func commit(_ result: consuming TurnResult) {
    if let state = result.state as? StateValue<State> { published(state.value, result.version) }
    if let isSettled = result.isSettled { settled(isSettled) }
    result.release()
  }
}
