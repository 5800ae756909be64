/// Something that happened in a turn, for the watchers of its session.
///
/// Notes are released with the turn's result, so watchers see only committed turns.
package enum TurnNote: Sendable {
  /// An Input, an action or an error in its stored form; the action of an effect with the effect's number.
  case event([UInt8], effect: Int?)
  /// The work of an effect or of an Input started or ended.
  case work(WatchedWork, Step)
  /// An alarm or a message.
  case alarm(AlarmChange)
  /// The newest State of a followed session, about to be processed.
  case followed(SessionAddress)
  /// The running work and the set alarms at the beginning of the watch.
  case began(running: [WatchedWork], alarms: [Alarm])

  /// A step of work.
  package enum Step: String, Sendable, CaseIterable {
    case started, ended, failed, cancelled
  }
}

/// A piece of running work, for watchers.
package struct WatchedWork: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case run, pause, timer
    /// The work of an Input that suspends.
    case input
  }

  /// The number of the work, unique within its engine.
  package let number: Int
  /// The readable name of the effect's id, or of the nearest group around it with an id; nil without one.
  package let id: String?
  package let kind: Kind
  /// The milliseconds since 1970, UTC, at which the work started; nil if it is about to start, or if that is
  /// unknown.
  package let began: Int64?
}

/// The notes of an engine, which has them only while someone watches.
final class EngineWatch {
  private(set) var notes: [TurnNote] = []
  /// The effect that sent the action that is being performed.
  var sender: EffectGraph.NodeID?
  /// The work that runs, or will run once its turn is committed.
  private var running: [EffectGraph.NodeID: WatchedWork] = [:]

  var isEmpty: Bool { notes.isEmpty }

  func add(_ note: TurnNote) { notes.append(note) }

  func take() -> [TurnNote] {
    defer { notes = [] }
    return notes
  }

  func start(_ work: WatchedWork, _ node: EffectGraph.NodeID) {
    running[node] = work
    notes.append(.work(work, .started))
  }

  func knows(_ node: EffectGraph.NodeID) -> Bool { running[node] != nil }

  /// Notes the end of work, unless it was noted before.
  func end(_ node: EffectGraph.NodeID, _ step: TurnNote.Step) {
    if let work = running.removeValue(forKey: node) { notes.append(.work(work, step)) }
  }

  /// Begins to note events, or repeats the running work for a new watcher.
  func begin(_ work: [(EffectGraph.NodeID?, WatchedWork)], _ alarms: [Alarm]) {
    for case (let node?, let work) in work { running[node] = work }
    notes.append(.began(running: work.map(\.1), alarms: alarms))
  }
}
