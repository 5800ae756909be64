import FusionSessions
import FusionStoreDoubles

/// A request of one node to its store, or an event between two requests.
enum StoreStep {
  /// Changes that are submitted together.
  case commit([StoreChange])
  case acquire(SessionID)
  case release([SessionID: Duration])
  case join, renew, nodes, interrupted
  case expire(unusedFor: Duration)
  /// An acquisition whose answer is lost.
  case loseAcquisition(SessionID)
  case pass(Duration)
}

extension StoreStep: CustomStringConvertible {
  var description: String {
    switch self {
    case .commit(let changes): changes.map(\.summary).joined(separator: ", ")
    case .acquire(let id): "acquire \(id)"
    case .release(let idle): "release \(idle)"
    case .join: "join"
    case .renew: "renew"
    case .nodes: "nodes"
    case .interrupted: "interrupted"
    case .expire(let time): "expire what nobody has used for \(time)"
    case .loseAcquisition(let id): "acquire \(id), and lose the answer"
    case .pass(let time): "pass \(time)"
    }
  }
}

extension StoreChange {
  fileprivate var summary: String {
    switch self {
    case .create(let session):
      "create \(session.id), \(session.head.running), \(session.name ?? "no name")"
    case .append(let append):
      "append \(append.entries.map(\.running)) to \(append.session) after \(append.after), "
        + "head \(append.head.map { "\($0.sequence)" } ?? "none")"
    case .use(let times): "use \(times.mapValues(\.milliseconds))"
    case .end(let ids, _, let time): "end \(ids) at \(time.milliseconds)"
    case .forget(let time): "forget what ended before \(time.milliseconds)"
    case .share(let share): "share \(share.session)"
    case .revoke(let id, _): "revoke \(id)"
    case .crash(let crash): "crash at the work of \(crash.session)"
    case .probe: "probe"
    }
  }
}

/// The answer of a store to a step.
enum StepAnswer: Equatable {
  case commits([StoreError?])
  case acquisition(Acquisition)
  case node(Node)
  case nodes([NodeStatus])
  case sessions(Set<SessionID>)
  case count(Int)
  case renewed(Bool)
  case refused(StoreError)
  case nothing
}

/// A generator of steps from a seed (SplitMix64).
struct StepGenerator {
  static let ids = (UInt64(1)...4).map { SessionID.number($0) }

  private var state: UInt64
  private var lastNode = 0
  private var lastID = ids[0]

  init(seed: UInt64) { state = seed }

  private mutating func below(_ limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((bits ^ (bits >> 31)) % UInt64(limit))
  }

  private mutating func isChosen(oneIn count: Int) -> Bool { below(count) == 0 }

  /// Returns the node of the next step, often that of the step before, so that the node sees its own work.
  mutating func node() -> Int {
    if !isChosen(oneIn: 2) { lastNode = below(ComparedStores.names.count) }
    return lastNode
  }

  private mutating func id() -> SessionID {
    if !isChosen(oneIn: 2) { lastID = Self.ids[below(Self.ids.count)] }
    return lastID
  }

  /// Returns a time of half seconds, which a database stores exactly.
  private mutating func time(below seconds: Int) -> Duration {
    .milliseconds(500 * below(2 * seconds))
  }

  /// Returns one session or two, with a value of each.
  private mutating func some<Value>(_ value: (inout Self) -> Value) -> [SessionID: Value] {
    var values: [SessionID: Value] = [:]
    for _ in 1...2 { values[id()] = value(&self) }
    return values
  }

  mutating func step(_ memory: SharedMemory) -> StoreStep {
    switch below(32) {
    case 0...10: .commit(changes(memory))
    case 11...16: .acquire(id())
    case 17...18: .release(some { $0.time(below: 20) })
    case 19...21: .renew
    case 22: .join
    case 23: .nodes
    case 24: .interrupted
    // In a step of its own, since a store does not order it with changes of sessions.
    case 25: .commit([.forget(endedBefore: .seconds(Int64(below(5))))])
    case 26: .expire(unusedFor: time(below: 40))
    case 27...28: .loseAcquisition(id())
    case 29...30: .pass(time(below: 3))
    default: .pass(time(below: 12))
    }
  }

  private mutating func changes(_ memory: SharedMemory) -> [StoreChange] {
    var sequences: [SessionID: Int] = [:]
    let count = below(4)
    return (0...count).map { _ in
      let id = id()
      switch below(16) {
      case 0...3:
        var session = StoredSession.new(1)
        session.id = id
        if isChosen(oneIn: 3) { session.head.running = ["load"] }
        // In a step of its own, since a store does not order simultaneous creations with one name.
        if count == 0, isChosen(oneIn: 2) { session.name = "name \(below(2))" }
        if isChosen(oneIn: 3) { session.identity = "somebody" }
        sequences[id] = 0
        return .create(session)
      case 4...5: return .end([id, self.id()], .deleted, at: .seconds(Int64(below(4))))
      case 6: return .use(some { .seconds(Int64($0.below(40))) })
      default:
        let newest = sequences[id] ?? memory.stored(id)?.sequence ?? 0
        let append = append(to: id, after: newest)
        sequences[id] = append.after + append.entries.count
        return .append(append)
      }
    }
  }

  /// Returns an append, which sometimes begins at a wrong sequence number.
  private mutating func append(to id: SessionID, after newest: Int) -> StoreChange.Append {
    let after = isChosen(oneIn: 12) ? max(0, newest + 2 * below(2) - 1) : newest
    let entries = (0...below(2)).map { place in
      var entry = LogEntry.number(after + 1 + place)
      if isChosen(oneIn: 3) { entry.running = ["load"] }
      if isChosen(oneIn: 3) { entry.key = .to("\(below(4))", entry.sequence) }
      return entry
    }
    // A head may cover only part of the new entries.
    let head = entries[below(entries.count)]
    let names = head.running.isEmpty ? [] : ["load"]
    return StoreChange.Append(
      id,
      after: after,
      entries,
      head: isChosen(oneIn: 4) ? .after(head.sequence, running: names) : nil
    )
  }
}
