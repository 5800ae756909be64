/// Which sessions a host has, and what it knows of those that it has not.
struct SessionTable {
  var sessions: [SessionID: Session] = [:]
  /// Sessions whose last use the store has not taken; what it has of those that sleep is too early.
  var unstoredUses: Set<SessionID> = []
  /// Sessions that are in the store alone, with when somebody was there last.
  var asleep: [SessionID: Duration] = [:]
  /// Sessions that this node has and does not need: the store could not be told so yet.
  var unreleased: Set<SessionID> = []
  /// Sessions that could not be woken, and that are about to be tried again.
  var retried: Set<SessionID> = []
  /// Where sessions are that another node has, as far as that is known.
  var locations: [SessionID: Node] = [:]
  /// Ids by which the store has lately had nothing.
  var missing: Set<SessionID> = []
  /// Ids that the store is at work on, and who waits for that.
  var busy: [SessionID: Busy] = [:]
  /// Sessions that are being opened, and count already.
  var opening = 0
  var ended: [SessionID: Tombstone] = [:]
  /// What is let go of when a session ends: see ``SessionHost/create(_:parameters:keeping:_:)``.
  var kept: [SessionID: Kept] = [:]

  typealias Waiter = @Sendable (SessionHost.WakeFailure?) -> Void

  /// Who waits until the store is done with an id.
  struct Busy {
    /// Those who want the session, in order.
    var waking: [Waiter] = []
    /// Those who want to end it, after them.
    var deleting: [Waiter] = []
    /// Whether one of those is a client.
    var isAsked = false
  }

  /// What is kept for a session that was created here.
  struct Kept {
    let object: any AnyObject & Sendable
    /// When it was seen first that other nodes may have the session, and end it.
    var left: Duration?
  }

  /// What is left of a session.
  struct Tombstone {
    let end: SessionEnd
    let time: Duration
  }

  var count: Int { sessions.count + asleep.count }

  /// Whether nothing is known of an id that another node may have.
  func isForeign(_ id: SessionID) -> Bool {
    sessions[id] == nil && asleep[id] == nil && ended[id] == nil
  }

  mutating func note(_ location: Node, of id: SessionID) {
    // Whoever asks next would have the store say it again.
    if locations.count >= Self.remembered { locations = [:] }
    locations[id] = location
  }

  mutating func noteMissing(_ id: SessionID) {
    if missing.count >= Self.remembered { missing = [] }
    missing.insert(id)
  }

  /// Takes what is kept for sessions that left this node before a deadline; to be asked now and then.
  mutating func takeKept(leftBefore deadline: Duration, now: Duration) -> [Kept] {
    var over: [Kept] = []
    for (id, object) in kept {
      let isHere = sessions[id] != nil || asleep[id] != nil
      let left = isHere ? nil : object.left ?? now
      if let left, left <= deadline {
        over.append(object)
        kept[id] = nil
      } else if left != object.left {
        kept[id]?.left = left
      }
    }
    return over
  }

  /// So many places of sessions that are not here: about 10 MB.
  private static let remembered = 65_536

  /// Takes what a store has; times are told by a clock that believes them.
  mutating func add(_ inventory: StoreInventory, _ clock: WallClock) {
    let now = clock.now
    for item in inventory.sessions {
      // Where the calendar was ahead then, the session would stay until it is that late again.
      asleep[item.id] = clock.time(at: min(item.used, now))
    }
    for ended in inventory.ended {
      self.ended[ended.id] = Tombstone(end: ended.end, time: clock.time(at: ended.time))
    }
  }

  /// Whether a session has to be woken before anybody can do anything with it.
  func isAsleep(_ id: SessionID) -> Bool {
    busy[id] != nil || asleep[id] != nil || sessions[id].map { !$0.isAwake } == true
  }
}
