import Dispatch
import FusionSessions
import Synchronization

/// Has changes committed and sessions read, by several connections at once: what concerns one session in the
/// order in which it came.
final class CommitScheduler: Sendable {
  /// What waits to be done.
  struct Work: Sendable {
    enum Kind: Sendable {
      case create(StoredSession)
      case append(StoreChange.Append)
      case change(@Sendable (Connection) throws(PostgreSQLError) -> StoreError?)
      case read(@Sendable (ConnectionWorker) -> Void)
    }

    let kind: Kind
    /// As which node this process was known when it came.
    let node: Int64
    let done: @Sendable (StoreError?) -> Void
  }

  typealias Turn = DependencyQueue<Work>.Turn

  private struct Inbox {
    var turns = DependencyQueue<Work>()
    /// What may be done now.
    var changes: [Turn] = []
    var reads: [Turn] = []
    /// The writers that have nothing to do.
    var resting: [Int]
    /// How many changes are being committed.
    var committing = 0
    /// Whether what waits is looked at again after a pause.
    var isPausing = false
    var isReading = false
    var isClosed = false

    /// Whether a commit may set out at once: beside another one only while that has few changes.
    ///
    /// A commit costs what some ten changes do; so what comes while one is on its way goes together.
    var mayCommit: Bool { committing < 4 }

    mutating func add(_ turn: Turn) {
      if case .read = turn.work.kind { reads.append(turn) } else { changes.append(turn) }
    }
  }

  /// After so long a commit sets out beside any other: a server that is far away, or held up, has several at once.
  private static let pause = DispatchTimeInterval.milliseconds(1)

  private static let isOwnQueue = DispatchSpecificKey<Bool>()

  private let inbox: Mutex<Inbox>
  private let writers: [ConnectionWorker]
  private let reader: ConnectionWorker
  private let committer: Committer
  private let batch: Int
  /// Entered for all that is not done yet.
  private let unfinished = DispatchGroup()

  init(
    writers: [ConnectionWorker],
    reader: ConnectionWorker,
    _ holdings: OwnershipTable,
    _ options: PostgreSQLSessionStore.Options,
    observe: @escaping @Sendable (StoreCommit) -> Void,
    trim: @escaping @Sendable ([History.Old]) -> Void
  ) {
    self.writers = writers
    self.reader = reader
    batch = options.batch
    inbox = Mutex(Inbox(resting: Array(writers.indices)))
    committer = Committer(holdings, options, observe: observe, trim: trim)
    for line in writers + [reader] { line.queue.setSpecific(key: Self.isOwnQueue, value: true) }
  }

  var isClosed: Bool { inbox.withLock { $0.isClosed } }

  func change(
    _ ids: [SessionID],
    _ done: @escaping @Sendable (StoreError?) -> Void,
    _ body: @escaping @Sendable (Connection) throws(PostgreSQLError) -> StoreError?
  ) {
    add(.change(body), of: ids, done)
  }

  func read(
    _ ids: [SessionID],
    closed: @escaping @Sendable () -> Void,
    _ body: @escaping @Sendable (ConnectionWorker) -> Void
  ) {
    add(.read(body), of: ids) { error in if error != nil { closed() } }
  }

  func add(
    _ kind: Work.Kind,
    of ids: [SessionID],
    _ done: @escaping @Sendable (StoreError?) -> Void
  ) {
    let work = Work(kind: kind, node: committer.holdings.node, done: done)
    unfinished.enter()
    let isTaken = inbox.withLock { inbox in
      guard !inbox.isClosed else { return false }
      if let turn = inbox.turns.add(work, of: ids) { inbox.add(turn) }
      return true
    }
    guard isTaken else {
      unfinished.leave()
      // After what was handed over before.
      return reader.queue.async { done(.closed) }
    }
    begin()
  }

  /// Waits until all is done that was handed over.
  func wait() { unfinished.wait() }

  /// Takes no more, and calls what lets go of the rest when all is done; waits for that, unless it is called on
  /// a thread that would have to do it.
  func close(_ end: @escaping @Sendable () -> Void) {
    let isFirst = inbox.withLock { inbox in
      defer { inbox.isClosed = true }
      return !inbox.isClosed
    }
    let finish = { @Sendable [self] in
      unfinished.wait()
      guard isFirst else { return }
      end()
      for line in writers + [reader] { line.queue.sync { line.close() } }
    }
    if DispatchQueue.getSpecific(key: Self.isOwnQueue) == true {
      DispatchQueue.global().async(execute: finish)
    } else {
      finish()
    }
  }

  // MARK: Working

  /// Sets to work who rests, where there is something to do.
  private func begin(hasPaused: Bool = false) {
    let (writer, mustPause, mustRead): (Int?, Bool, Bool) = inbox.withLock { inbox in
      if hasPaused { inbox.isPausing = false }
      let mayCommit = inbox.mayCommit || hasPaused
      let canCommit = !inbox.changes.isEmpty && !inbox.resting.isEmpty
      let writer = canCommit && mayCommit ? inbox.resting.popLast() : nil
      let mustPause = canCommit && !mayCommit && !inbox.isPausing
      if mustPause { inbox.isPausing = true }
      let mustRead = !inbox.reads.isEmpty && !inbox.isReading
      if mustRead { inbox.isReading = true }
      return (writer, mustPause, mustRead)
    }
    if let writer { writers[writer].queue.async { [self] in write(writer, hasPaused) } }
    if mustPause {
      DispatchQueue.global().asyncAfter(deadline: .now() + Self.pause) { [self] in
        begin(hasPaused: true)
      }
    }
    if mustRead { reader.queue.async { [self] in readAll() } }
  }

  private func write(_ writer: Int, _ hasPaused: Bool) {
    var hasPaused = hasPaused
    while let turns = nextChanges(for: writer, hasPaused) {
      hasPaused = false
      let results = committer.commit(turns.map(\.work), on: writers[writer])
      for (turn, error) in zip(turns, results) { turn.work.done(error) }
      inbox.withLock { $0.committing -= turns.count }
      finish(turns)
    }
    // What it has left for others to finish first is not to wait for more.
    begin()
  }

  /// What is to be committed together; nil sets the writer to rest.
  private func nextChanges(for writer: Int, _ hasPaused: Bool) -> [Turn]? {
    inbox.withLock { inbox in
      guard let first = inbox.changes.first, inbox.mayCommit || hasPaused else {
        inbox.resting.append(writer)
        return nil
      }
      var (taken, rest, size): ([Turn], [Turn], Int) = ([], [], 0)
      for turn in inbox.changes {
        let fits = taken.isEmpty || turn.work.joins(first.work) && size < Committer.bytes
        if fits && taken.count < batch {
          taken.append(turn)
          size += turn.work.size
        } else {
          rest.append(turn)
        }
      }
      inbox.changes = rest
      inbox.committing += taken.count
      return taken
    }
  }

  private func readAll() {
    while true {
      let turn = inbox.withLock { inbox -> Turn? in
        guard !inbox.reads.isEmpty else {
          inbox.isReading = false
          return nil
        }
        return inbox.reads.removeFirst()
      }
      guard let turn else { return }
      if case .read(let body) = turn.work.kind { body(reader) }
      finish([turn])
    }
  }

  private func finish(_ turns: [Turn]) {
    inbox.withLock { inbox in
      for turn in turns { for next in inbox.turns.finish(turn) { inbox.add(next) } }
    }
    begin()
    for _ in turns { unfinished.leave() }
  }
}
