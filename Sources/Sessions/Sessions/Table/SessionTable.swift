/// Every session that a host knows of: one entry for each id.
///
/// Pure: each mutating function is one transition, and returns what its caller is to do outside the lock. The table
/// starts no thread and asks no clock. Its transitions are listed in the article Architecture.
///
/// An entry has a ``State``, which says where the session is, and ``Work`` while the store is busy with its id. Whoever
/// comes meanwhile waits, and is told when the work is over.
struct SessionTable {
  /// Where a session is.
  enum State {
    /// Nothing is known of the id: the store has to be asked. The state of ids without an entry where nodes share
    /// the store.
    case unknown
    /// There is no session by the id. The state of ids without an entry where this process has all sessions.
    case none
    /// The session is being created; nobody has its id yet.
    case opening
    /// The session is in memory. Where the store has failed it, nothing runs it (see ``Session/isAwake``), and the
    /// next request has it read again.
    case live(Session)
    /// The session is in the store alone, and this process's.
    case asleep(Sleep)
    /// Another node has the session, as far as is known.
    indirect case elsewhere(Node)
    /// The store had nothing by the id when it was asked last; it is asked again the next time.
    case missing
    /// The session is over, since a time of the process's clock.
    case ended(SessionEnd, at: Duration)
  }

  /// What is kept in memory of a session that sleeps.
  struct Sleep {
    /// When somebody used the session last, by the process's clock.
    var lastUse: Duration
    /// Whether the store has an earlier last use.
    var isUseUnstored = false
    /// Whether the store still has to be told that this node does not need the session.
    var isUnreleased = false
  }

  /// What the store is doing with an id, and who waits for that.
  struct Work {
    enum Kind {
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
      /// Those who waited are told; whoever comes now waits behind them.
      case callingBack
    }

    var kind: Kind
    /// The callbacks of those who want the session, in order.
    var waking: [Waiter] = []
    /// The callbacks of those who want to end the session; they follow the others.
    var deleting: [Waiter] = []
    /// Whether one of those is a client, whose request begins the session's idle time anew.
    var isAsked = false

    var hasWaiters: Bool { !waking.isEmpty || !deleting.isEmpty }
  }

  typealias Waiter = @Sendable (WakeFailure?) -> Void

  /// An object that is kept until a session ends: see ``SessionHost/create(_:parameters:keeping:_:)``.
  final class Kept: Sendable {
    let object: any AnyObject & Sendable
    /// When the session was first seen to have left this node.
    let left: Duration?

    init(_ object: any AnyObject & Sendable, left: Duration? = nil) {
      self.object = object
      self.left = left
    }
  }

  struct Entry {
    var state: State
    var work: Work?
    var kept: Kept?
    /// Whether waking the session has failed and will be tried again shortly.
    var isRetried = false
  }

  /// How many ids without a session here are remembered, of those elsewhere and of those missing each: some 10 MB.
  static let memoryOfOthers = 65_536

  /// Whether nodes share the store: then an id without an entry may be the id of a session.
  let isShared: Bool
  private(set) var entries: [SessionID: Entry] = [:]
  private var census = Census()

  init(isShared: Bool = false) {
    self.isShared = isShared
  }

  /// How many sessions are here, live or asleep.
  var count: Int { census[.live] + census[.asleep] }

  /// How many sessions are in memory.
  var liveCount: Int { census[.live] }

  /// How many sessions are here or about to be.
  var reservedCount: Int { count + census[.opening] }

  /// The state of ids without an entry.
  private var unlisted: State { isShared ? .unknown : .none }

  func state(of id: SessionID) -> State { entries[id]?.state ?? unlisted }

  func work(on id: SessionID) -> Work.Kind? { entries[id]?.work?.kind }

  /// The session, where it is in memory.
  func live(_ id: SessionID) -> Session? { entries[id]?.session }

  /// All sessions in memory.
  var live: [Session] { entries.values.compactMap(\.session) }

  // MARK: Changing entries

  /// Changes an id's entry in place; entries that say nothing are dropped.
  mutating func update<Result>(
    _ id: SessionID,
    _ change: (inout Entry) -> Result
  ) -> Result {
    let new = Entry(state: unlisted)
    let (result, before, after) = Self.apply(change, to: &entries[id, default: new])
    if before != after { census.move(from: before, to: after) }
    if (after == .unknown || after == .none), entries[id]?.isEmpty == true { entries[id] = nil }
    return result
  }

  private static func apply<Result>(
    _ change: (inout Entry) -> Result,
    to entry: inout Entry
  ) -> (Result, before: Census.Kind, after: Census.Kind) {
    let before = Census.Kind(entry.state)
    let result = change(&entry)
    return (result, before, Census.Kind(entry.state))
  }

  mutating func set(_ state: State, of id: SessionID) {
    update(id) { $0.state = state }
  }

  /// Knows nothing more of an id.
  mutating func unlist(_ id: SessionID) {
    set(unlisted, of: id)
  }

  /// Notes that a session is not here; drops all such notes when there are too many: the next requests ask the store.
  mutating func remember(_ state: State, of id: SessionID) {
    let kind = Census.Kind(state)
    if census[kind] >= Self.memoryOfOthers {
      for (id, entry) in entries where Census.Kind(entry.state) == kind { unlist(id) }
    }
    set(state, of: id)
  }

  /// How many entries there are of each kind of state.
  private struct Census {
    enum Kind: Int, CaseIterable {
      case unknown, none, opening, live, asleep, elsewhere, missing, ended

      init(_ state: State) {
        self =
          switch state {
          case .unknown: .unknown
          case .none: .none
          case .opening: .opening
          case .live: .live
          case .asleep: .asleep
          case .elsewhere: .elsewhere
          case .missing: .missing
          case .ended: .ended
          }
      }
    }

    private var counts = Array(repeating: 0, count: Kind.allCases.count)

    subscript(kind: Kind) -> Int { counts[kind.rawValue] }

    mutating func move(from before: Kind, to after: Kind) {
      counts[before.rawValue] -= 1
      counts[after.rawValue] += 1
    }
  }
}

extension SessionTable.Entry {
  var session: Session? {
    if case .live(let session) = state { session } else { nil }
  }

  var sleep: SessionTable.Sleep? {
    if case .asleep(let sleep) = state { sleep } else { nil }
  }

  /// Whether the session is this process's, live or asleep.
  var isHere: Bool {
    switch state {
    case .live, .asleep: true
    case .unknown, .none, .opening, .elsewhere, .missing, .ended: false
    }
  }

  /// Whether another node may have the session: the store is to be asked.
  var isForeign: Bool {
    switch state {
    case .unknown, .elsewhere, .missing: work == nil
    case .none, .opening, .live, .asleep, .ended: false
    }
  }

  /// Whether there is nothing in the entry but its state.
  fileprivate var isEmpty: Bool { work == nil && kept == nil && !isRetried }

  /// Whether nobody has used the session since a time, or uses it.
  func isIdle(since deadline: Duration) -> Bool {
    switch state {
    case .live(let session): session.use.isIdle(since: deadline)
    case .asleep(let sleep): sleep.lastUse <= deadline
    case .unknown, .none, .opening, .elsewhere, .missing, .ended: false
    }
  }
}
