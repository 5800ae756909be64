/// Every session that a host knows of: one entry for each id.
///
/// Pure: each mutating function is one transition, and returns what its caller is to do outside the lock. The directory
/// starts no thread and asks no clock. The article Architecture lists the transitions.
///
/// An entry has a ``State``, which says where the session is, and ``Work`` while the store is busy with its id.
/// Requests that come meanwhile wait, and are told when the work is over.
struct Directory {
  /// The place of a session.
  enum State {
    /// An id of which only the store may know. The state of ids without an entry if nodes share the store.
    case unknown
    /// There is no session by the id. The state of ids without an entry where this process has all sessions.
    case absent
    /// The session is being created; no client has its id yet.
    case opening
    /// The session is in memory. After a failure of the store it has no instance (see ``Session/isAwake``), and the
    /// next request has it read again.
    case resident(Session)
    /// The session is in the store alone, and this process's.
    case asleep(Sleep)
    /// Another node has the session, as far as is known.
    indirect case elsewhere(Node, SessionOrigin)
    /// The store had nothing by the id when it was asked last; it is asked again the next time.
    case missing
    /// The session has ended, at a time of the process's clock.
    case ended(at: Duration, SessionEnd)
  }

  /// The part of a sleeping session that stays in memory.
  struct Sleep {
    /// The time of the last use, by the process's clock.
    var lastUse: Duration
    /// Whether the view model may want to be told of the end.
    var mayBeTold = true
    /// Whether the store has an earlier last use.
    var isUseUnstored = false
    /// Whether the store still has to be told that this node does not need the session.
    var isUnreleased = false
    /// Whether an alarm is set: the session does not expire before.
    var hasAlarm = false
  }

  /// The store's current work on an id, and the callers that wait for it.
  struct Work {
    enum Kind {
      /// The session is being created under a name, by which others may find it already.
      case creating
      /// The session is made this process's, and read.
      case reading
      /// The session is made this process's, and left asleep.
      case acquiring
      /// The session's engine is closed, unless it is at work.
      case fallingAsleep
      /// The store is told that this process does not need the session any more.
      case releasing
      /// The store deletes the session.
      case ending
      /// The waiting callers are being called back; new ones wait behind them.
      case callingBack
    }

    var kind: Kind
    /// Whether a client waits, whose request begins the session's idle time anew.
    var isClientWaiting = false
    /// The waiters, in the order in which they came.
    var waiters: [Waiter] = []

    /// Whether a request needs the session to be awake.
    var isWanted: Bool { waiters.contains { !$0.isDeleting } }
  }

  /// A callback that is called when the work on an id is over.
  struct Waiter {
    /// Whether the waiter wants to end the session; those follow the others.
    var isDeleting = false
    let done: WakeCompletion
  }

  /// An object that is kept until a session ends: see ``Creator/create(_:parameters:for:by:name:attaching:_:)``.
  final class Attachment: Sendable {
    let object: any AnyObject & Sendable
    /// The time at which the session was first seen to have left this node.
    let left: Duration?

    init(_ object: any AnyObject & Sendable, left: Duration? = nil) {
      self.object = object
      self.left = left
    }
  }

  struct Entry {
    var state: State
    // This member takes no more room here: there is an entry for each session.
    /// Whether waking the session has failed and will be tried again shortly.
    var isRetried = false
    var work: Work?
    var attachment: Attachment?
  }

  /// The most ids that are remembered of sessions elsewhere, and as many of missing ones: some 10 MB.
  static let memoryOfOthers = 65_536

  /// Whether nodes share the store: then an id without an entry may be the id of a session.
  let isShared: Bool
  /// The names of the view models that have a rule of who may use their sessions.
  private let ruled: Set<String>
  /// The origins of the sleeping sessions that not everyone may use, or end.
  private(set) var origins: [SessionID: SessionOrigin] = [:]
  /// The sessions that have a name, if there is no store.
  private(set) var names: [SessionName: SessionID] = [:]
  /// The shares, if there is no store.
  var shares = ShareTable()
  /// Whether the service has ended: what is read by then is not to run.
  var isClosed = false
  private(set) var entries: [SessionID: Entry] = [:]
  /// The number of entries of each kind of state.
  private var counts = Array(repeating: 0, count: State.Kind.allCases.count)

  init(isShared: Bool = false, ruled: Set<String> = []) {
    (self.isShared, self.ruled) = (isShared, ruled)
  }

  /// The number of sessions here, in memory or asleep.
  var count: Int { counts[State.Kind.resident.rawValue] + counts[State.Kind.asleep.rawValue] }

  /// The number of sessions in memory.
  var residentCount: Int { counts[State.Kind.resident.rawValue] }

  /// The number of sessions here or about to be.
  var reservedCount: Int { count + counts[State.Kind.opening.rawValue] }

  /// The state of ids without an entry.
  private var unlisted: State { isShared ? .unknown : .absent }

  func state(of id: SessionID) -> State { entries[id]?.state ?? unlisted }

  func work(on id: SessionID) -> Work.Kind? { entries[id]?.work?.kind }

  /// The session, where it is in memory.
  func resident(_ id: SessionID) -> Session? { entries[id]?.session }

  /// All sessions in memory.
  var residents: [Session] { entries.values.compactMap(\.session) }

  /// Gives a name to a session, unless another one has it, which is returned then.
  mutating func claim(_ name: SessionName, for id: SessionID) -> SessionID? {
    if let other = names[name] { return other }
    names[name] = id
    return nil
  }

  mutating func free(_ name: SessionName) { names[name] = nil }

  // MARK: Changing entries

  /// Changes an id's entry in place; entries that say nothing are dropped.
  mutating func update<Result>(_ id: SessionID, _ change: (inout Entry) -> Result) -> Result {
    let new = Entry(state: unlisted)
    let (result, before, after, isNeeded) = Self.apply(change, to: &entries[id, default: new])
    counts[before.rawValue] -= 1
    counts[after.rawValue] += 1
    if !isNeeded { entries[id] = nil }
    if !origins.isEmpty, after != .asleep { origins[id] = nil }
    return result
  }

  private static func apply<Result>(
    _ change: (inout Entry) -> Result,
    to entry: inout Entry
  ) -> (Result, before: State.Kind, after: State.Kind, isNeeded: Bool) {
    let before = entry.state.kind
    let result = change(&entry)
    let isEmpty = entry.work == nil && entry.attachment == nil && !entry.isRetried
    return (result, before, entry.state.kind, entry.state.kind != .unlisted || !isEmpty)
  }

  mutating func set(_ state: State, of id: SessionID) {
    update(id) { $0.state = state }
  }

  /// Notes that a session sleeps here, and its origin where that matters.
  mutating func setAsleep(_ sleep: Sleep, _ id: SessionID, _ origin: SessionOrigin) {
    set(.asleep(sleep), of: id)
    let matters =
      origin.identity != nil || origin.creator != nil || ruled.contains(origin.viewModel)
    if matters || !origins.isEmpty { origins[id] = matters ? origin : nil }
  }

  /// Forgets everything about an id.
  mutating func unlist(_ id: SessionID) {
    set(unlisted, of: id)
  }

  /// Notes that a session is not here; drops all such notes when there are too many: the next requests ask the store.
  mutating func remember(_ state: State, of id: SessionID) {
    if counts[state.kind.rawValue] >= Self.memoryOfOthers {
      for (id, entry) in entries where entry.state.kind == state.kind { unlist(id) }
    }
    set(state, of: id)
  }
}

extension Directory.State {
  /// A number for the kind of state, by which entries are counted.
  fileprivate enum Kind: Int, CaseIterable {
    case unlisted, opening, resident, asleep, elsewhere, missing, ended
  }

  fileprivate var kind: Kind {
    switch self {
    case .unknown, .absent: .unlisted
    case .opening: .opening
    case .resident: .resident
    case .asleep: .asleep
    case .elsewhere: .elsewhere
    case .missing: .missing
    case .ended: .ended
    }
  }
}

extension Directory.Entry {
  var session: Session? {
    if case .resident(let session) = state { session } else { nil }
  }

  var sleep: Directory.Sleep? {
    if case .asleep(let sleep) = state { sleep } else { nil }
  }

  /// Whether the session is this process's, in memory or asleep.
  var isHere: Bool {
    switch state {
    case .resident, .asleep: true
    case .unknown, .absent, .opening, .elsewhere, .missing, .ended: false
    }
  }

  /// Whether another node may have the session: the store is to be asked.
  var isForeign: Bool {
    switch state {
    case .unknown, .elsewhere, .missing: work == nil
    case .absent, .opening, .resident, .asleep, .ended: false
    }
  }

  /// Whether the session is neither in use nor at work, and has not been used since a time.
  func isIdle(since deadline: Duration) -> Bool {
    switch state {
    case .resident(let session): session.use.isIdle(since: deadline)
    case .asleep(let sleep): sleep.lastUse <= deadline && !sleep.hasAlarm
    case .unknown, .absent, .opening, .elsewhere, .missing, .ended: false
    }
  }
}
