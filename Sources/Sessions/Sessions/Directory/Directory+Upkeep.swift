/// Transitions that time, a start, or a lost lease brings about.
extension Directory {
  // MARK: Starting and stopping

  /// Adds the sessions that a store has; `clock` converts their times.
  ///
  /// If the store's last uses are not to be believed, all sessions count as used last at `lastUse`.
  ///
  /// `told` are the names of the view models that want to be told of the end.
  mutating func add(
    _ inventory: StoreInventory,
    _ clock: WallClock,
    usedLast lastUse: Duration?,
    told: Set<String> = []
  ) {
    let now = clock.now
    for item in inventory.sessions {
      // Otherwise a calendar that was ahead then would keep the session until that time comes again.
      let used = lastUse ?? clock.time(at: min(item.used, now))
      let sleep = Sleep(lastUse: used, mayBeTold: told.contains(item.viewModel))
      setAsleep(sleep, item.id, item.origin)
    }
    for ended in inventory.ended {
      set(.ended(at: clock.time(at: ended.time), ended.end), of: ended.id)
    }
  }

  /// Takes all sessions out of memory, at the end of the service.
  mutating func takeResidents() -> [Session] {
    let sessions = residents
    isClosed = true
    for session in sessions { unlist(session.id) }
    return sessions
  }

  // MARK: Expiring

  /// The sessions that have not been used since a time.
  func idle(since deadline: Duration) -> [SessionID] {
    entries.compactMap { $0.value.isIdle(since: deadline) ? $0.key : nil }
  }

  /// The result of ``sweep(now:leftBefore:endedBefore:)``.
  struct Sweep {
    /// The sessions in memory.
    var residents: [Session] = []
    /// The objects kept for sessions that left this node before the deadline.
    var attachments: [Attachment] = []
  }

  /// Goes through all entries, and forgets what is too old.
  mutating func sweep(
    now: Duration,
    leftBefore deadline: Duration,
    endedBefore forgotten: Duration
  ) -> Sweep {
    var sweep = Sweep()
    var changed: [SessionID] = []
    for (id, entry) in entries {
      if let session = entry.session { sweep.residents.append(session) }
      if case .ended(let time, _) = entry.state, time <= forgotten { changed.append(id) }
      guard let attachment = entry.attachment else { continue }
      let left = entry.isHere ? nil : attachment.left ?? now
      if left != attachment.left || left.map({ $0 <= deadline }) == true { changed.append(id) }
    }
    for id in changed {
      if case .ended(let time, _) = state(of: id), time <= forgotten { unlist(id) }
      guard let attachment = entries[id]?.attachment else { continue }
      let left = entries[id]?.isHere == true ? nil : attachment.left ?? now
      let isOver = left.map { $0 <= deadline } == true
      if isOver { sweep.attachments.append(attachment) }
      update(id) { $0.attachment = isOver ? nil : Attachment(attachment.object, left: left) }
    }
    return sweep
  }

  /// The sessions that are awake and not in use.
  func unused(since deadline: Duration) -> [Session] {
    residents.filter { $0.isAwake && $0.use.isUnused(since: deadline) }
  }

  /// Returns a page of the sessions that sleep.
  func asleep(atMost limit: Int) -> [SessionID] {
    Array(entries.lazy.filter { $0.value.sleep != nil }.map(\.key).prefix(limit))
  }

  // MARK: Last uses

  /// Takes the last uses of sleeping sessions that the store does not have, or of all of them.
  mutating func takeUses(ofAll: Bool) -> [SessionID: Duration] {
    var uses: [SessionID: Duration] = [:]
    for (id, entry) in entries {
      guard let sleep = entry.sleep, ofAll || sleep.isUseUnstored else { continue }
      uses[id] = sleep.lastUse
    }
    for id in uses.keys { setUseUnstored(false, of: id) }
    return uses
  }

  /// Notes that the store has not taken the last uses of some sessions; those in memory note it themselves.
  mutating func usesNotStored(_ ids: some Sequence<SessionID>) {
    for id in ids { setUseUnstored(true, of: id) }
  }

  /// The number of sessions here that have alarms.
  var alarmed: Int {
    entries.values.count { $0.session?.use.hasAlarm ?? $0.sleep?.hasAlarm ?? false }
  }

  /// Notes that a sleeping session has an alarm.
  mutating func setHasAlarm(_ hasAlarm: Bool, of id: SessionID) {
    guard var sleep = entries[id]?.sleep else { return }
    sleep.hasAlarm = hasAlarm
    set(.asleep(sleep), of: id)
  }

  private mutating func setUseUnstored(_ isUnstored: Bool, of id: SessionID) {
    guard var sleep = entries[id]?.sleep else { return }
    sleep.isUseUnstored = isUnstored
    set(.asleep(sleep), of: id)
  }

  // MARK: Losing sessions

  /// Begins to wait for another try to wake a session; false if one is under way.
  mutating func beginRetry(_ id: SessionID) -> Bool {
    update(id) { entry in
      defer { entry.isRetried = true }
      return !entry.isRetried
    }
  }

  mutating func endRetry(_ id: SessionID) {
    update(id) { $0.isRetried = false }
  }

  /// The sessions in memory without an instance.
  var lost: [SessionID] { residents.filter { !$0.isAwake }.map(\.id) }

  func isLost(_ id: SessionID) -> Bool { resident(id).map { !$0.isAwake } ?? false }

  /// Whether a session can be woken without a request: it sleeps, has no instance, or may be any node's.
  func canWakeForNobody(_ id: SessionID) -> Bool {
    guard let entry = entries[id] else { return isShared }
    return entry.isForeign || entry.sleep != nil || isLost(id)
  }

  // MARK: Other nodes

  /// Forgets that another node has a session.
  mutating func forgetLocation(of id: SessionID) {
    if case .elsewhere = entries[id]?.state { unlist(id) }
  }

  /// Forgets a session of which the store has refused a change, unless it has followers; returns it.
  mutating func fenced(_ id: SessionID) -> Session? {
    guard let session = resident(id), session.feed.followers == 0 else { return nil }
    unlist(id)
    return session
  }

  /// Forgets sessions that are not this node's; returns those that were lost here.
  mutating func forget(_ ids: [SessionID]) -> [Session] {
    ids.compactMap { id in
      guard let entry = entries[id], entry.sleep != nil || isLost(id) else { return nil }
      unlist(id)
      return entry.session
    }
  }

  /// Forgets the sessions that sleep here, as the lease has expired and any node may own them; returns those in memory,
  /// to be discarded.
  mutating func loseLease() -> [Session] {
    for (id, entry) in entries {
      switch entry.state {
      case .elsewhere: unlist(id)
      case .asleep(var sleep):
        if entry.work == nil {
          unlist(id)
        } else if sleep.isUnreleased {
          sleep.isUnreleased = false
          set(.asleep(sleep), of: id)
        }
      case .unknown, .absent, .opening, .resident, .missing, .ended: break
      }
    }
    return residents
  }
}
