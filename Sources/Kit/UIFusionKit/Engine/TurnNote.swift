/// Something that happened in a turn, for those who watch its session.
///
/// Notes are released with the turn's result: nobody sees what is not committed.
package enum TurnNote: Sendable {
  /// An Input, an action or an error in the form that is stored; the action of an effect with the effect's number.
  case event([UInt8], effect: Int?)
  /// The work of an effect, or of an Input, starts or is over.
  case work(WatchedWork, Step)
  /// An alarm or a message.
  case alarm(AlarmChange)
  /// The newest State of a followed session is about to be processed.
  case followed(SessionAddress)
  /// The work that runs and the alarms that are set, as watching begins.
  case began(running: [WatchedWork], alarms: [Alarm])

  /// A step of work.
  package enum Step: String, Sendable, CaseIterable {
    case started, ended, failed, cancelled
  }
}

/// Work that runs, as those who watch see it.
package struct WatchedWork: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case run, pause, timer
    /// The work of an Input that suspends.
    case input
  }

  /// The number, which no other work of the same instance has.
  package let number: Int
  /// The id of the effect, or of the nearest group around it that has one, as it is stored; nil without one.
  package let id: String?
  package let kind: Kind
  /// The milliseconds since 1970, UTC, at which it started; nil if it is about to start.
  package let began: Int64?
}

/// The part of an engine that notes what happens; an engine has one only while somebody watches.
final class EngineWatch {
  private(set) var notes: [TurnNote] = []
  /// The effect that has sent the action that is performed.
  var sender: EffectGraph.NodeID?
  /// The work that runs, or will once its turn is committed.
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

  /// Notes the end of work, unless it is known to be over.
  func end(_ node: EffectGraph.NodeID, _ step: TurnNote.Step) {
    if let work = running.removeValue(forKey: node) { notes.append(.work(work, step)) }
  }

  /// Begins, or tells another one, with what runs now.
  func begin(_ work: [(EffectGraph.NodeID?, WatchedWork)], _ alarms: [Alarm]) {
    for case (let node?, let work) in work { running[node] = work }
    notes.append(.began(running: work.map(\.1), alarms: alarms))
  }
}
