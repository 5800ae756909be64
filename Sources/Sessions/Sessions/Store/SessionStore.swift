/// Keeps sessions beyond the process.
///
/// A store is a target of this package: none can be added from outside. `CONTRIBUTING.md` lists what it takes.
///
/// Changes are committed in the order in which they come, each as a whole or not at all. The caller
/// shows nothing of a change before it is told that it stands.
///
/// The functions do not wait. `done` is called exactly once, on any thread, for the changes of one
/// session in their order; it must not block.
package protocol SessionStore: Sendable {
  /// What there is, read once at the start; where nodes share the store, its secret alone.
  func inventory() throws(StoreError) -> StoreInventory

  /// Reads all that is kept of a session, after every change that was handed over before; nil where
  /// nothing is.
  func load(
    _ id: SessionID,
    _ done: @escaping @Sendable (Result<StoredSession?, StoreError>) -> Void
  )

  /// Makes a session this process's own, and reads it, after every change that was handed over before.
  ///
  /// Asked again for one that it has, the store reads it anew; what is still on its way from before
  /// either stands by then, or never will.
  func acquire(
    _ id: SessionID,
    _ done: @escaping @Sendable (Result<Acquisition, StoreError>) -> Void
  )

  /// Finds sessions whose newest entry says that something was running, some at a time, in an order of
  /// the store's own; where nodes share it, only those that no living node has.
  ///
  /// The first are those after 0, the next ones those after ``InterruptedSessions/next``.
  func interrupted(
    after number: Int64,
    _ done: @escaping @Sendable (Result<InterruptedSessions, StoreError>) -> Void
  )

  /// Commits a change; nil says that it stands, an error that nothing of it does.
  ///
  /// Only ``StoreError/inDoubt`` leaves open which of the two is true.
  func commit(_ change: StoreChange, _ done: @escaping @Sendable (StoreError?) -> Void)

  /// Commits what was handed over, and lets go of what the store holds, sessions of a node among it; later
  /// changes fail.
  func close()
}

/// What is to become different in a store.
package enum StoreChange: Sendable {
  /// A session begins. Fails where there is one by its id.
  case create(StoredSession)
  /// A session goes on.
  case append(Append)
  /// These sessions were used last at these times, by a stream or a request.
  case use([SessionID: WallTime])
  /// Sessions are over: nothing is kept of them but that. Where nodes share the store and one of them is
  /// not this node's, none has ended.
  case end([SessionID], SessionEnd, at: WallTime)
  /// Forgets which ids ended before a time.
  case forget(endedBefore: WallTime)
  /// Nothing becomes different: tells whether anything could.
  case probe

  /// What a session has done.
  package struct Append: Sendable {
    package var session: SessionID
    /// The newest entry that the session knows to be stored: the fence against a second writer.
    ///
    /// Where the store has another, it refuses with ``StoreError/conflict``.
    package var after: Int
    /// Numbered from `after + 1` on.
    package var entries: [LogEntry]
    /// The State after the last entry, in whole: reading begins here, and what came before is only
    /// history.
    package var head: StoredHead?

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

/// Why a store did not do what it was asked to.
package indirect enum StoreError: Error, Equatable {
  /// There is no room left.
  case full
  /// It cannot be read or written now; a text for the log.
  case unreachable(String)
  /// What is there cannot be understood; a text for the log.
  case damaged(String)
  /// Another process has written meanwhile.
  case conflict
  /// Another node has the session now, or may take it: nothing of the change stands.
  case fenced
  /// Whether the change stands is not known.
  case inDoubt
  /// The store was closed.
  case closed
}

/// What a store has, without what is in it.
package struct StoreInventory: Sendable, Equatable {
  package var sessions: [Item] = []
  package var ended: [Ended] = []
  /// What the digests of bodies are made with, the same for as long as the store lives.
  package var secret: [UInt8] = []

  package struct Item: Sendable, Equatable {
    package var id: SessionID
    package var viewModel: String
    /// When a stream or a request used it last.
    package var used: WallTime

    package init(_ id: SessionID, viewModel: String, used: WallTime) {
      self.id = id
      self.viewModel = viewModel
      self.used = used
    }
  }

  package struct Ended: Sendable, Equatable {
    package var id: SessionID
    package var end: SessionEnd
    package var time: WallTime

    package init(_ id: SessionID, _ end: SessionEnd, at time: WallTime) {
      self.id = id
      self.end = end
      self.time = time
    }
  }

  package init() {}
}
