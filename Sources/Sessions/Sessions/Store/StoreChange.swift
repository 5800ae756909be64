/// A change of a store.
package enum StoreChange: Sendable {
  /// A session begins. Fails if its id or its name is taken.
  case create(StoredSession)
  /// A session goes on.
  case append(Append)
  /// The times at which sessions were last used, by a stream or a request.
  case use([SessionID: WallTime])
  /// Sessions end, and only their end is kept. Where nodes share the store and one of them is not this
  /// node's, none ends.
  case end([SessionID], SessionEnd, at: WallTime)
  /// A session is shared, and its shares that have expired are forgotten. Fails with
  /// ``StoreError/conflict`` if there is no session, or it has ``StoredShare/limit`` shares.
  case share(StoredShare)
  /// A share is revoked, if it exists.
  case revoke(ShareID, of: SessionID)
  /// A process ended at a session's work; does nothing if there is no such session.
  case crash(SessionCrash)
  /// Forgets which ids ended before a time.
  case forget(endedBefore: WallTime)
  /// Changes nothing: tells whether the store takes changes.
  case probe

  /// The entries of a session's turns.
  package struct Append: Sendable {
    package var session: SessionID
    /// The newest entry that the session knows to be stored: the fence against a second writer.
    ///
    /// If the store has another, it refuses with ``StoreError/conflict``.
    package var after: Int
    /// Numbered from `after + 1` on.
    package var entries: [LogEntry]
    /// The State after the last entry, in whole: reading begins here, and what came before is only
    /// history.
    package var head: StoredHead?
    /// The alarms that the entries change: as they are after the last one, nil if they are not set.
    package var alarms: [[UInt8]: StoredAlarm?] = [:]

    package init(
      _ session: SessionID,
      after: Int,
      _ entries: [LogEntry],
      head: StoredHead? = nil
    ) {
      self.session = session
      self.after = after
      self.entries = entries
      self.head = head
    }
  }
}

/// The reason why a store has refused a request.
package indirect enum StoreError: Error, Equatable {
  /// There is no room left.
  case full
  /// The store cannot be read or written now; the text is for the log.
  case unreachable(String)
  /// Stored data that cannot be read; the text is for the log.
  case damaged(String)
  /// Another process has written meanwhile.
  case conflict
  /// Another session has the name of the new one.
  case taken(by: SessionID)
  /// Another node has the session now, or may take it: nothing of the change is committed.
  case fenced
  /// The change may or may not be committed.
  case inDoubt
  /// The store was closed.
  case closed
}

/// A commit of a store, for metrics.
package struct StoreCommit: Sendable {
  /// The number of changes that were committed together.
  package let changes: Int
  /// The number of log entries in them.
  package let entries: Int
  package let duration: Duration
  /// Whether it failed, and with it all of its changes.
  package let hasFailed: Bool

  package init(changes: Int, entries: Int, duration: Duration, hasFailed: Bool) {
    self.changes = changes
    self.entries = entries
    self.duration = duration
    self.hasFailed = hasFailed
  }
}

/// The reason why a session has ended.
package enum SessionEnd: String, Sendable, CaseIterable {
  case deleted
  case expired
}
