import FusionSessions

/// Commits changes on a worker's connection, together if possible.
struct Committer: Sendable {
  /// The number of bytes beyond which no more changes join a commit.
  static let bytes = 4 << 20

  let ownership: OwnershipTable
  private let observe: @Sendable (StoreCommit) -> Void
  private let historyLimit: HistorySpans.Size
  private let trim: @Sendable ([TrimStatements.OldHistory]) -> Void

  /// `trim` is called with history that has become old.
  init(
    _ ownership: OwnershipTable,
    _ options: PostgreSQLOptions,
    observe: @escaping @Sendable (StoreCommit) -> Void,
    trim: @escaping @Sendable ([TrimStatements.OldHistory]) -> Void
  ) {
    self.ownership = ownership
    self.observe = observe
    self.trim = trim
    historyLimit = .init(
      entries: options.historyLimit,
      bytes: options.historyBytes,
      age: options.historyAge
    )
  }

  /// Commits changes; returns the error of each, nil for committed ones.
  func commit(_ works: [CommitScheduler.Work], on worker: ConnectionWorker) -> [StoreError?] {
    let start = ContinuousClock.now
    var results: [StoreError?]
    do throws(PostgreSQLError) {
      results = try attempt(works, on: worker)
    } catch {
      // One of the changes may be the only cause.
      if error.isContained, works.count > 1 { return works.flatMap { commit([$0], on: worker) } }
      let error = error.storeError(ofChange: true)
      results = Array(repeating: error, count: works.count)
      report(works, start, entries: 0, hasFailed: true)
      return results
    }
    if !works[0].mayChangeNothing, results.contains(nil) { worker.succeeded() }
    var stored: [StoreChange.Append] = []
    for (work, error) in zip(works, results) {
      guard case .append(let append) = work.kind else { continue }
      switch error {
      case nil: stored.append(append)
      case .fenced: ownership.drop([append.session], as: work.node)
      default: break
      }
    }
    report(works, start, entries: stored.reduce(0) { $0 + $1.entries.count }, hasFailed: false)
    let old = ownership.grow(by: stored, limit: historyLimit, as: works[0].node)
    if !old.isEmpty { trim(old) }
    return results
  }

  private func attempt(
    _ works: [CommitScheduler.Work],
    on worker: ConnectionWorker
  ) throws(PostgreSQLError) -> [StoreError?] {
    let node = works[0].node
    switch works[0].kind {
    case .append:
      let appends = works.compactMap(\.append)
      let epochs = ownership.epochs(of: appends.map(\.session), as: node)
      let items = zip(appends, epochs).map { AppendStatements.Item(append: $0, epoch: $1) }
      return try worker.run { (connection) throws(PostgreSQLError) in
        try AppendStatements.commit(items, as: node, in: connection)
      }
    case .create:
      let sessions = works.compactMap(\.session)
      let keepsFirst = historyLimit.age != nil
      let results = try worker.run { (connection) throws(PostgreSQLError) in
        try CreateStatements.commit(sessions, as: node, keepsFirst: keepsFirst, in: connection)
      }
      for (session, error) in zip(sessions, results) where error == nil {
        ownership.hold(
          session.id,
          CreateStatements.epoch,
          as: node,
          HistorySpans(after: session.sequence)
        )
      }
      return results
    case .change(let body): return [try worker.run(body)]
    case .read: return [nil]
    }
  }

  private func report(
    _ works: [CommitScheduler.Work],
    _ start: ContinuousClock.Instant,
    entries: Int,
    hasFailed: Bool
  ) {
    observe(
      StoreCommit(
        changes: works.count,
        entries: entries,
        duration: .now - start,
        hasFailed: hasFailed
      )
    )
  }
}

extension CommitScheduler.Work {
  fileprivate var append: StoreChange.Append? {
    if case .append(let append) = kind { append } else { nil }
  }

  fileprivate var session: StoredSession? {
    if case .create(let session) = kind { session } else { nil }
  }

  /// Whether its success may have changed nothing, and so does not show that the server takes changes.
  fileprivate var mayChangeNothing: Bool {
    switch kind {
    case .create, .append: false
    case .change, .read: true
    }
  }

  /// Returns whether one statement can commit both.
  func joins(_ other: Self) -> Bool {
    guard node == other.node else { return false }
    switch (kind, other.kind) {
    case (.append, .append): return true
    case (.create(let a), .create(let b)):
      return !a.hasMore && !b.hasMore
    default: return false
    }
  }

  /// The approximate number of bytes that are sent to the server.
  var size: Int {
    switch kind {
    case .create(let session): session.head.state.count + session.parameters.count
    case .append(let append):
      append.entries.reduce(append.head?.state.count ?? 0) { $0 + $1.size }
    case .change, .read: 0
    }
  }
}
