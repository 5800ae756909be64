/// The state of an id, for a request that names it.
package enum SessionLookup: Sendable {
  case resident(Session)
  case ended(SessionEnd)
  /// The session has to be woken first: see ``Waker/wake(_:_:)``.
  case asleep
  case unknown
}

/// Transitions that requests bring about: finding, waking, deleting, and creating sessions.
extension Directory {
  /// Finds a session, and begins its idle time anew.
  ///
  /// A node that may not answer for its sessions now finds none of them awake.
  func find(_ id: SessionID, mayAnswer: Bool, now: Duration) -> SessionLookup {
    guard let entry = entries[id] else { return isShared ? .asleep : .unknown }
    switch entry.state {
    case .resident(let session):
      guard mayAnswer else { return .asleep }
      // Under the directory's lock, or the session could expire between being found and being used.
      session.use.touch(now)
      return .resident(session)
    // Even while the store is busy with the id: it may be recording the end.
    case .ended(_, let end): return .ended(end)
    case .asleep, .unknown, .elsewhere: return .asleep
    case .absent: return entry.work == nil ? .unknown : .asleep
    case .opening: return entry.work == nil ? .unknown : .asleep
    case .missing: return .unknown
    }
  }

  /// Finds a session that is awake, and begins its idle time anew; one that has to be woken first is asleep.
  func findAwake(_ id: SessionID, mayAnswer: Bool, now: Duration) -> SessionLookup {
    isAsleep(id, mayAnswer: mayAnswer, now: now)
      ? .asleep : find(id, mayAnswer: mayAnswer, now: now)
  }

  /// Whether a session has to be woken before it can be used.
  ///
  /// A session that is awake stays awake, and its idle time restarts.
  func isAsleep(_ id: SessionID, mayAnswer: Bool, now: Duration) -> Bool {
    guard let entry = entries[id] else { return isShared }
    guard entry.work == nil else { return true }
    switch entry.state {
    case .resident(let session):
      guard session.isAwake, mayAnswer else { return true }
      // Under the directory's lock, or the session could fall asleep between being asked about and being used.
      session.use.touch(now)
      return false
    case .asleep, .unknown, .elsewhere, .missing: return true
    case .absent, .opening, .ended: return false
    }
  }

  /// The origin of a session that sleeps here or is in memory; nil if it is not known.
  ///
  /// An origin never changes.
  func origin(of id: SessionID) -> SessionOrigin? {
    switch entries[id]?.state {
    case .resident(let session): session.origin
    case .asleep(let sleep) where !sleep.isUnreleased: origins[id] ?? .unrestricted
    default: nil
    }
  }

  enum WakeStep {
    case awake
    /// The callback is called when the work on the id is over.
    case waiting
    /// The session is to be read, into this one if there is one: streams may follow it.
    case read(into: Session?)
    case failed(WakeFailure)
  }

  /// Begins to read a session, or waits for the work that goes on.
  ///
  /// The idle time begins anew if a client has asked for the session.
  mutating func wake(
    _ id: SessionID,
    isClientWaiting: Bool,
    mayAnswer: Bool,
    now: Duration,
    _ done: @escaping WakeCompletion
  ) -> WakeStep {
    guard mayAnswer else { return .failed(.leaseOver) }
    return update(id) { entry in
      if entry.work == nil {
        switch entry.state {
        case .resident(let session) where session.isAwake: return .awake
        case .absent, .opening, .ended: return .awake
        case .elsewhere(let node, let origin): return .failed(.elsewhere(node, origin))
        case .resident, .asleep, .unknown, .missing: break
        }
      }
      let isBusy = entry.work != nil
      entry.work = entry.work ?? Work(kind: .reading)
      entry.work?.waiters.append(Waiter(done: done))
      if isClientWaiting {
        entry.work?.isClientWaiting = true
        // The session may have been read already, without a request for it.
        entry.session?.use.touch(now)
      }
      return isBusy ? .waiting : .read(into: entry.session)
    }
  }

  enum DeletionStep {
    /// The callback is called when the work on the id is over; then the deletion is tried again.
    case waiting
    /// The session is to be made this node's first; the callback is called then.
    case acquire
    /// The session is here: it can be ended.
    case end
    /// The session is here by now, and it is to be asked first whether the caller may end it.
    case ask
    /// There is nothing to end.
    case over(SessionLookup)
    case failed(WakeFailure)
  }

  /// Prepares the deletion of a session without reading it, since reading may fail.
  ///
  /// A session whose origin was unknown when its caller asked for it is not ended.
  mutating func delete(
    _ id: SessionID,
    mayAnswer: Bool,
    isPermitted: Bool = true,
    _ done: @escaping WakeCompletion
  ) -> DeletionStep {
    update(id) { entry in
      guard entry.work == nil else {
        entry.work?.waiters.append(Waiter(isDeleting: true, done: done))
        return .waiting
      }
      switch entry.state {
      case .resident: return isPermitted ? .end : .ask
      // Its owner is not known here yet.
      case .asleep(let sleep) where sleep.isUnreleased: break
      case .asleep: return isPermitted ? .end : .ask
      case .ended(_, let end): return .over(.ended(end))
      case .absent, .opening: return .over(.unknown)
      case .unknown, .missing, .elsewhere: break
      }
      guard mayAnswer else { return .failed(.leaseOver) }
      if case .elsewhere(let node, let origin) = entry.state {
        return .failed(.elsewhere(node, origin))
      }
      entry.work = Work(kind: .acquiring, waiters: [Waiter(done: done)])
      return .acquire
    }
  }

  // MARK: Creating

  enum Reservation {
    case reserved
    /// The limit on sessions is reached.
    case full
    /// The id is another session's.
    case taken
  }

  /// Reserves a new session's id, and counts the session; requests that name it wait until it exists.
  mutating func reserve(_ id: SessionID, limit: Int, isNamed: Bool = false) -> Reservation {
    guard reservedCount < limit else { return .full }
    guard entries[id] == nil else { return .taken }
    set(.opening, of: id)
    if isNamed { update(id) { $0.work = Work(kind: .creating) } }
    return .reserved
  }

  mutating func opened(_ session: Session, attaching object: (any AnyObject & Sendable)?) {
    update(session.id) { entry in
      entry.state = .resident(session)
      entry.attachment = object.map { Attachment($0) }
    }
  }

  /// Notes a session that the store has, and that was not read yet.
  mutating func forked(
    _ session: StoredSession,
    attaching object: (any AnyObject & Sendable)?,
    now: Duration
  ) {
    setAsleep(Sleep(lastUse: now), session.id, session.origin)
    update(session.id) { $0.attachment = object.map { Attachment($0) } }
  }

  /// Forgets a session that could not be created.
  ///
  /// If that is in doubt, the store may hold it for this node. No client knows its id, only its name, and no other
  /// node can own it, so it is released later.
  mutating func openFailed(_ id: SessionID, isInDoubt: Bool, isNamed: Bool = false, now: Duration) {
    unlist(id)
    if isInDoubt, isShared || isNamed {
      set(.asleep(Sleep(lastUse: now, isUnreleased: true)), of: id)
    }
  }

  // MARK: Calling back

  /// Ends the work on an id where no request waits; returns whether one does.
  mutating func finish(_ id: SessionID) -> Bool {
    guard entries[id]?.work != nil else { return false }
    return update(id) { entry in
      guard entry.work?.waiters.isEmpty == false else {
        entry.work = nil
        return false
      }
      entry.work?.kind = .callingBack
      return true
    }
  }

  /// Ends work on an id that has failed; returns the waiters, those that delete last.
  ///
  /// A later request is not told of this failure: it begins anew.
  mutating func fail(_ id: SessionID) -> [Waiter] {
    guard entries[id]?.work != nil else { return [] }
    return update(id) { entry in
      defer { entry.work = nil }
      let waiters = entry.work?.waiters ?? []
      return waiters.filter { !$0.isDeleting } + waiters.filter(\.isDeleting)
    }
  }

  /// Takes the waiters that are to be called back next; nil once the work is over.
  ///
  /// The work goes on until no request waits, so that a new request does not overtake those that wait. Deletions come
  /// last, and their work is over before they are tried again.
  mutating func takeWaiters(of id: SessionID) -> [Waiter]? {
    guard entries[id]?.work != nil else { return nil }
    return update(id) { entry in
      let waiters = entry.work?.waiters ?? []
      let waking = waiters.filter { !$0.isDeleting }
      guard waking.isEmpty else {
        entry.work?.waiters.removeAll { !$0.isDeleting }
        return waking
      }
      entry.work = nil
      return waiters
    }
  }
}

extension SessionOrigin {
  /// The origin of a session of nobody's, and of a view model without a rule.
  fileprivate static let unrestricted = SessionOrigin(viewModel: "")
}
