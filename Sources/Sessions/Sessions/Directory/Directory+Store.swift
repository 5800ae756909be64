/// Transitions that the store's answers bring about.
extension Directory {
  // MARK: Waking

  /// The last use of a session that sleeps.
  func lastUse(of id: SessionID) -> Duration? { entries[id]?.sleep?.lastUse }

  /// Whether a client waits for an id.
  func isClientWaiting(for id: SessionID) -> Bool { entries[id]?.work?.isClientWaiting == true }

  /// Notes that a session was read; a client who has asked for it uses it now, though others may be called back before.
  mutating func woke(_ session: Session, now: Duration) {
    update(session.id) { entry in
      entry.state = .resident(session)
      if entry.work?.isClientWaiting == true { session.use.touch(now) }
    }
  }

  /// Notes that a session was made this process's, and not read.
  mutating func acquired(
    _ id: SessionID,
    _ origin: SessionOrigin,
    hasAlarm: Bool = false,
    now: Duration
  ) {
    setAsleep(Sleep(lastUse: now, hasAlarm: hasAlarm), id, origin)
  }

  /// Notes that the store has nothing by an id; returns whether a session was here, which is over then: the store had
  /// not said so when it ended.
  mutating func noteMissing(_ id: SessionID) -> Bool {
    // An unreleased one was perhaps never there: only the store knew.
    if let entry = entries[id], entry.isHere, entry.sleep?.isUnreleased != true { return true }
    remember(.missing, of: id)
    return false
  }

  /// Notes that another node has a session; returns the one that was here.
  mutating func moved(_ id: SessionID, to node: Node, _ origin: SessionOrigin) -> Session? {
    let session = resident(id)
    remember(.elsewhere(node, origin), of: id)
    return session
  }

  /// Notes that the store may have made a session this node's without this node knowing: it is released later.
  ///
  /// It may have alarms, and does not expire before.
  mutating func noteDoubtfulOwnership(of id: SessionID, now: Duration) {
    guard isShared, entries[id]?.isHere != true else { return }
    set(.asleep(Sleep(lastUse: now, isUnreleased: true, hasAlarm: true)), of: id)
  }

  // MARK: Unreadable sessions

  /// Notes that a session cannot be read: nothing is at work in it.
  ///
  /// The idle time restarts if a client has asked for the session: a later build may read it.
  mutating func noteUnreadable(_ id: SessionID, now: Duration) {
    resident(id)?.setAtWork(false)
    guard isClientWaiting(for: id), var sleep = entries[id]?.sleep else { return }
    sleep.lastUse = now
    set(.asleep(sleep), of: id)
  }

  /// Leaves a session that cannot be read here to other nodes, where there are some; returns the one that was lost
  /// here.
  mutating func leaveUnreadable(_ id: SessionID) -> Session? {
    isShared ? forget([id]).first : nil
  }

  /// Keeps a damaged session that no client asks for, so that it expires here: else each node would try it in turn.
  ///
  /// The owner is unknown; the empty id matches no identity.
  mutating func keepDamaged(_ id: SessionID, now: Duration) {
    if entries[id]?.isHere != true {
      acquired(id, SessionOrigin(identity: "", viewModel: ""), now: now)
    }
  }

  /// Notes the store's answer to giving back a session that was acquired and could not be opened.
  mutating func gaveBack(
    _ id: SessionID,
    _ error: StoreError?,
    idleFor idle: Duration,
    now: Duration
  ) {
    guard isShared else { return }
    switch error {
    case nil, .fenced: if entries[id]?.sleep != nil { unlist(id) }
    case .some:
      guard resident(id) == nil else { return }
      set(.asleep(Sleep(lastUse: now - idle, isUnreleased: true, hasAlarm: true)), of: id)
    }
  }

  // MARK: Sleeping

  /// Claims an idle session of which the store knows the last use; requests meanwhile wait.
  mutating func beginSleep(_ session: Session, unlessUsedSince deadline: Duration) -> Bool {
    guard let entry = entries[session.id], entry.work == nil, entry.session === session,
      session.use.isUnused(since: deadline), session.use.isStored
    else { return false }
    update(session.id) { $0.work = Work(kind: .fallingAsleep) }
    return true
  }

  /// Notes that a session has closed its engine; it is to be released.
  mutating func fellAsleep(_ session: Session) {
    let sleep = Sleep(
      lastUse: session.use.idleSince,
      mayBeTold: session.viewModel.isToldOfEnd,
      isUseUnstored: !session.use.isStored,
      hasAlarm: session.use.hasAlarm
    )
    setAsleep(sleep, session.id, session.origin)
  }

  /// Begins to release a session that sleeps; returns when it was last used.
  mutating func beginRelease(_ id: SessionID) -> Duration? {
    guard let lastUse = lastUse(of: id) else { return nil }
    update(id) { $0.work?.kind = .releasing }
    return lastUse
  }

  /// Notes the store's answer to the release of a session; returns whether the session is to be read, as a request
  /// needs it now.
  mutating func released(_ id: SessionID, _ error: StoreError?) -> Bool {
    let isShared = isShared
    return update(id) { entry in
      if isShared, var sleep = entry.sleep {
        switch error {
        case nil, .fenced: entry.state = .unknown
        case .some:
          sleep.isUnreleased = true
          entry.state = .asleep(sleep)
        }
      }
      guard entry.work?.isWanted == true else { return false }
      entry.work?.kind = .reading
      return true
    }
  }

  /// Claims the sessions whose release has failed before, to be tried again.
  mutating func reacquireUnreleased() -> [SessionID] {
    guard isShared else { return [] }
    let ids = entries.filter { $0.value.work == nil && $0.value.sleep?.isUnreleased == true }.keys
    for id in ids {
      update(id) { entry in
        guard var sleep = entry.sleep else { return }
        sleep.isUnreleased = false
        entry.state = .asleep(sleep)
        entry.work = Work(kind: .releasing)
      }
    }
    return Array(ids)
  }

  // MARK: Ending

  /// Whether a session sleeps, or was lost, whose view model may want to be told of the end.
  func mayBeToldAsleep(_ id: SessionID) -> Bool {
    guard let session = resident(id) else { return entries[id]?.sleep?.mayBeTold == true }
    return !session.isAwake && session.viewModel.isToldOfEnd
  }

  /// Claims those of `ids` that can be ended now: neither used since the deadline nor at work in the store.
  mutating func beginEnding(
    _ ids: [SessionID],
    unlessUsedSince deadline: Duration?,
    waitingForStore: Bool
  ) -> [SessionID] {
    ids.filter { id in
      guard let entry = entries[id], entry.work == nil, entry.isHere,
        deadline.map({ entry.isIdle(since: $0) }) != false
      else { return false }
      // Requests wait meanwhile: it is not known yet whether the session ends.
      if waitingForStore { update(id) { $0.work = Work(kind: .ending) } }
      return true
    }
  }

  /// Ends sessions; returns those that were in memory, and what was kept for all of them.
  mutating func end(
    _ ids: [SessionID],
    _ end: SessionEnd,
    now: Duration
  ) -> (sessions: [Session], attachments: [Attachment]) {
    var sessions: [Session] = []
    var attachments: [Attachment] = []
    for id in ids {
      update(id) { entry in
        if let session = entry.session { sessions.append(session) }
        if let attachment = entry.attachment { attachments.append(attachment) }
        entry.attachment = nil
        entry.state = .ended(at: now, end)
      }
    }
    if !names.isEmpty { for name in sessions.compactMap(\.sessionName) { free(name) } }
    shares.remove(of: ids)
    return (sessions, attachments)
  }
}
