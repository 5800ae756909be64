import FusionSessions

/// Commits changes on a line, together where they can be.
struct Committer: Sendable {
  /// Beyond so many bytes no more changes join the others.
  static let bytes = 4 << 20

  let holdings: OwnershipTable
  private let observe: @Sendable (StoreCommit) -> Void
  private let historyLimit: HistorySpans.Size
  private let trim: @Sendable ([History.Old]) -> Void

  /// `trim` is told of history that has become old.
  init(
    _ holdings: OwnershipTable,
    _ options: PostgreSQLSessionStore.Options,
    observe: @escaping @Sendable (StoreCommit) -> Void,
    trim: @escaping @Sendable ([History.Old]) -> Void
  ) {
    self.holdings = holdings
    self.observe = observe
    self.trim = trim
    historyLimit = .init(entries: options.historyLimit, bytes: options.historyBytes)
  }

  /// Says what came of each.
  func commit(_ works: [CommitScheduler.Work], on line: ConnectionWorker) -> [StoreError?] {
    let start = ContinuousClock.now
    var results: [StoreError?]
    do throws(PostgreSQLError) {
      results = try attempt(works, on: line)
    } catch {
      // One of them may be at fault alone.
      if error.isLocal, works.count > 1 { return works.flatMap { commit([$0], on: line) } }
      let error = error.storeError(ofChange: true)
      results = Array(repeating: error, count: works.count)
      tell(works, start, entries: 0, hasFailed: true)
      return results
    }
    if !works[0].isOther, results.contains(nil) { line.stood() }
    var stored: [StoreChange.Append] = []
    for (work, error) in zip(works, results) {
      guard case .append(let append) = work.kind else { continue }
      switch error {
      case nil: stored.append(append)
      case .fenced: holdings.drop([append.session], as: work.node)
      default: break
      }
    }
    tell(works, start, entries: stored.reduce(0) { $0 + $1.entries.count }, hasFailed: false)
    let old = holdings.grow(by: stored, limit: historyLimit, as: works[0].node)
    if !old.isEmpty { trim(old) }
    return results
  }

  private func attempt(
    _ works: [CommitScheduler.Work],
    on line: ConnectionWorker
  ) throws(PostgreSQLError) -> [StoreError?] {
    let node = works[0].node
    switch works[0].kind {
    case .append:
      let appends = works.compactMap(\.append)
      let epochs = holdings.epochs(of: appends.map(\.session), as: node)
      let items = zip(appends, epochs).map { Appends.Item(append: $0, epoch: $1) }
      return try line.run { (connection) throws(PostgreSQLError) in
        try Appends.commit(items, as: node, in: connection)
      }
    case .create:
      let sessions = works.compactMap(\.session)
      let results = try line.run { (connection) throws(PostgreSQLError) in
        try Creations.commit(sessions, as: node, in: connection)
      }
      for (session, error) in zip(sessions, results) where error == nil {
        holdings.hold(
          session.id,
          Creations.epoch,
          as: node,
          HistorySpans(after: session.sequence)
        )
      }
      return results
    case .change(let body): return [try line.run(body)]
    case .read: return [nil]
    }
  }

  private func tell(
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

  /// Whether it may have changed nothing, and then has waited for nobody.
  fileprivate var isOther: Bool {
    switch kind {
    case .create, .append: false
    case .change, .read: true
    }
  }

  /// Whether they can be committed by one statement.
  func joins(_ other: Self) -> Bool {
    guard node == other.node else { return false }
    switch (kind, other.kind) {
    case (.append, .append): return true
    case (.create(let a), .create(let b)):
      return [a, b].allSatisfy { $0.entries.isEmpty && $0.keys.isEmpty }
    default: return false
    }
  }

  /// About how many bytes it takes to the server.
  var size: Int {
    switch kind {
    case .create(let session): session.head.state.count + session.parameters.count
    case .append(let append):
      append.entries.reduce(append.head?.state.count ?? 0) { $0 + $1.size }
    case .change, .read: 0
    }
  }
}
