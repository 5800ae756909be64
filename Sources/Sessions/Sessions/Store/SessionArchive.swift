/// Reads a store, also beside the processes that serve it; for tools.
///
/// Belongs to one thread at a time.
package protocol SessionArchive {
  /// Returns a summary of each session, in the order of creation; counts may leave out what comes meanwhile.
  func summaries() throws(StoreError) -> [SessionSummary]

  /// Reads a session without its history; nil if there is no such session.
  func load(_ id: SessionID) throws(StoreError) -> StoredSession?

  /// Calls a function with the entries of a session's log up to a point, newest first and history included, until it
  /// returns false.
  func readBack(
    _ id: SessionID,
    from point: HistoryPoint,
    _ body: (LogEntry) -> Bool
  ) throws(StoreError)

  /// Returns the entries after another with which a session's State got another format, oldest first.
  func migrations(
    of id: SessionID,
    after sequence: Int
  ) throws(StoreError) -> [FormatChange]

  /// Reads all that is kept of a session, and its log from the oldest entry that is left on, history included; nil if
  /// there is no such session.
  ///
  /// The log may be newer than the session, never older. Its oldest entries may be patches of a State that was dropped.
  func history(
    of id: SessionID
  ) throws(StoreError) -> (session: StoredSession, log: [LogEntry])?

  /// Returns the number of sessions.
  func count() throws(StoreError) -> Int

  /// Reads the store's secret, and then each wanted session with all that is left of its log, oldest first: all as they
  /// were at one moment.
  ///
  /// A session whose data is damaged is handed to `damaged` instead; the error names it.
  ///
  /// - Throws: ``StoreError``, or what the closures throw.
  func read<Copy: ~Copyable>(
    begin: (_ secret: [UInt8]) throws -> Copy,
    wanted isWanted: (SessionID) -> Bool,
    damaged: (inout Copy, SessionID, StoreError) throws -> Void,
    _ add: (inout Copy, StoredSession, _ log: [LogEntry]) throws -> Void
  ) throws -> Copy

  /// Returns the shares of a session, expired ones included.
  func shares(of id: SessionID) throws(StoreError) -> [StoredShare]

  /// Returns the node that has a session; nil if none has it, or one process has the store alone.
  func owner(of id: SessionID) throws(StoreError) -> Node?

  /// Returns whether a session is stored.
  func contains(_ id: SessionID) throws(StoreError) -> Bool
}

extension SessionArchive {
  package func owner(of id: SessionID) throws(StoreError) -> Node? { nil }

  package func contains(_ id: SessionID) throws(StoreError) -> Bool { try load(id) != nil }

  /// Reads all sessions, up to one that is damaged.
  ///
  /// - Throws: ``StoreError``, which names a session that cannot be read, or what the closures throw.
  package func read<Copy: ~Copyable>(
    begin: (_ secret: [UInt8]) throws -> Copy,
    _ add: (inout Copy, StoredSession, _ log: [LogEntry]) throws -> Void
  ) throws -> Copy {
    try read(begin: begin, wanted: { _ in true }, damaged: { throw $2 }, add)
  }
}

extension StoreError {
  /// The same error; damage is described with the session that has it.
  package func naming(_ id: SessionID) -> StoreError {
    if case .damaged(let text) = self { .damaged("session \(id): \(text)") } else { self }
  }
}

/// The size and age of a stored session.
package struct SessionSummary: Sendable, Equatable {
  package let id: SessionID
  package let viewModel: String
  package let version: Int
  package let created: WallTime
  /// The time of the last use or work.
  package let used: WallTime
  /// The bytes of the State that stands in whole.
  package let stateSize: Int
  /// The number of entries in the log, history included.
  package let entries: Int
  /// The bytes of the entries' outcomes and traces.
  package let logSize: Int
  /// The time of the oldest entry; nil if there is none.
  package let oldest: WallTime?
  /// The node that has the session; nil if none has it, or one process has the store alone.
  package let node: Node?
  /// The id of the identity that it belongs to; nil if it belongs to nobody.
  package let identity: String?
  package let name: String?
  /// The time of the crash that has set it aside; nil if it is not set aside.
  package let setAside: WallTime?

  package init(
    id: SessionID,
    viewModel: String,
    version: Int,
    created: WallTime,
    used: WallTime,
    stateSize: Int,
    entries: Int,
    logSize: Int,
    oldest: WallTime? = nil,
    node: Node? = nil,
    identity: String? = nil,
    name: String? = nil,
    setAside: WallTime? = nil
  ) {
    self.id = id
    self.viewModel = viewModel
    self.version = version
    self.created = created
    self.used = used
    self.stateSize = stateSize
    self.entries = entries
    self.logSize = logSize
    self.oldest = oldest
    self.node = node
    self.identity = identity
    self.name = name
    self.setAside = setAside
  }
}
