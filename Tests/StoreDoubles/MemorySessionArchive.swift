package import FusionSessions

/// The histories of a ``MemorySessionStore``, which are complete.
package struct MemorySessionArchive: SessionArchive {
  private let store: MemorySessionStore
  private let misread: @Sendable ([LogEntry]) -> [LogEntry]
  private let owner: @Sendable (SessionID) -> Node?

  /// Creates an archive; `misread` falsifies each log that is read.
  package init(
    _ store: MemorySessionStore,
    misread: @escaping @Sendable ([LogEntry]) -> [LogEntry] = { $0 },
    owner: @escaping @Sendable (SessionID) -> Node? = { _ in nil }
  ) {
    (self.store, self.misread, self.owner) = (store, misread, owner)
  }

  package func owner(of id: SessionID) -> Node? { owner(id) }

  private func log(of id: SessionID) -> [LogEntry] { misread(store.log(of: id)) }

  package func summaries() throws(StoreError) -> [SessionSummary] { [] }

  package func count() throws(StoreError) -> Int { try store.inventory().sessions.count }

  package func load(_ id: SessionID) throws(StoreError) -> StoredSession? { store.stored(id) }

  package func readBack(
    _ id: SessionID,
    from point: HistoryPoint,
    _ body: (LogEntry) -> Bool
  ) throws(StoreError) {
    for entry in log(of: id).reversed() where point.covers(entry) {
      guard body(entry) else { return }
    }
  }

  package func migrations(
    of id: SessionID,
    after sequence: Int
  ) throws(StoreError) -> [FormatChange] {
    log(of: id).filter { $0.sequence > sequence && $0.trace.starts(with: FormatChange.prefix) }
      .map { FormatChange($0.sequence, trace: $0.trace) }
  }

  package func history(
    of id: SessionID
  ) throws(StoreError) -> (session: StoredSession, log: [LogEntry])? {
    store.stored(id).map { ($0, log(of: id)) }
  }

  package func read<Copy: ~Copyable>(
    begin: (_ secret: [UInt8]) throws -> Copy,
    wanted isWanted: (SessionID) -> Bool,
    damaged: (inout Copy, SessionID, StoreError) throws -> Void,
    _ add: (inout Copy, StoredSession, _ log: [LogEntry]) throws -> Void
  ) throws -> Copy {
    let inventory = try store.inventory()
    var copy = try begin(inventory.secret)
    for item in inventory.sessions.sorted(by: { $0.id < $1.id }) where isWanted(item.id) {
      guard let (session, log) = try history(of: item.id) else { continue }
      try add(&copy, session, log)
    }
    return copy
  }

  package func shares(of id: SessionID) throws(StoreError) -> [StoredShare] { [] }
}
