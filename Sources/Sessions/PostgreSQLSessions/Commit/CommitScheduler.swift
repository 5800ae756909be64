import Dispatch
import FusionSessions
import Synchronization

/// Distributes changes and reads over several connections; work on one session keeps its order.
final class CommitScheduler: Sendable {
  /// A queued change or read.
  struct Work: Sendable {
    enum Kind: Sendable {
      case create(StoredSession)
      case append(StoreChange.Append)
      case change(@Sendable (Connection) throws(PostgreSQLError) -> StoreError?)
      case read(@Sendable (ConnectionWorker) -> Void)
    }

    let kind: Kind
    /// The node number of this process when the work came.
    let node: Int64
    let done: StoreCompletion
  }

  typealias Item = DependencyQueue<Work>.Item

  private struct Inbox {
    var order = DependencyQueue<Work>()
    /// Items that may start now.
    var changes: [Item] = []
    var reads: [Item] = []
    /// The indices of idle writers.
    var idle: [Int]
    /// The number of changes in commits under way.
    var committing = 0
    /// Whether a check of waiting changes is scheduled.
    var isPausing = false
    var isReading = false
    var isClosed = false

    /// Whether a commit may start at once: beside other commits only while they have few changes.
    ///
    /// A commit costs as much as some ten changes, so changes that come during one are gathered.
    var mayCommit: Bool { committing < 4 }

    mutating func add(_ item: Item) {
      if case .read = item.work.kind { reads.append(item) } else { changes.append(item) }
    }
  }

  /// The time after which a commit starts beside any number of others, as the server may be far away or slow.
  private static let pause = DispatchTimeInterval.milliseconds(1)

  private static let isOwnQueue = DispatchSpecificKey<Bool>()

  private let inbox: Mutex<Inbox>
  private let writers: [ConnectionWorker]
  private let reader: ConnectionWorker
  private let committer: Committer
  private let batch: Int
  /// A group that counts unfinished items.
  private let unfinished = DispatchGroup()

  init(
    writers: [ConnectionWorker],
    reader: ConnectionWorker,
    _ ownership: OwnershipTable,
    _ options: PostgreSQLOptions,
    observe: @escaping @Sendable (StoreCommit) -> Void,
    trim: @escaping @Sendable ([TrimStatements.OldHistory]) -> Void
  ) {
    self.writers = writers
    self.reader = reader
    batch = options.batch
    inbox = Mutex(Inbox(idle: Array(writers.indices)))
    committer = Committer(ownership, options, observe: observe, trim: trim)
    for worker in writers + [reader] { worker.queue.setSpecific(key: Self.isOwnQueue, value: true) }
  }

  var isClosed: Bool { inbox.withLock { $0.isClosed } }

  func change(
    _ ids: [SessionID],
    _ done: @escaping StoreCompletion,
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

  func add(_ kind: Work.Kind, of ids: [SessionID], _ done: @escaping StoreCompletion) {
    let work = Work(kind: kind, node: committer.ownership.node, done: done)
    unfinished.enter()
    let isTaken = inbox.withLock { inbox in
      guard !inbox.isClosed else { return false }
      if let item = inbox.order.add(work, of: ids) { inbox.add(item) }
      return true
    }
    guard isTaken else {
      unfinished.leave()
      // After the reads that were handed over before.
      return reader.queue.async { done(.closed) }
    }
    startWorkers()
  }

  /// Waits until everything handed over is finished.
  func wait() { unfinished.wait() }

  /// Takes no more work, and calls `end` once all is finished; waits for that unless called on a worker's thread.
  func close(_ end: @escaping @Sendable () -> Void) {
    let isFirst = inbox.withLock { inbox in
      defer { inbox.isClosed = true }
      return !inbox.isClosed
    }
    let finish = { @Sendable [self] in
      unfinished.wait()
      guard isFirst else { return }
      end()
      for worker in writers + [reader] { worker.queue.sync { worker.close() } }
    }
    if DispatchQueue.getSpecific(key: Self.isOwnQueue) == true {
      DispatchQueue.global().async(execute: finish)
    } else {
      finish()
    }
  }

  // MARK: Working

  /// Starts idle workers if there is something to do.
  private func startWorkers(hasPaused: Bool = false) {
    let (writer, mustPause, mustRead): (Int?, Bool, Bool) = inbox.withLock { inbox in
      if hasPaused { inbox.isPausing = false }
      let mayCommit = inbox.mayCommit || hasPaused
      let canCommit = !inbox.changes.isEmpty && !inbox.idle.isEmpty
      let writer = canCommit && mayCommit ? inbox.idle.popLast() : nil
      let mustPause = canCommit && !mayCommit && !inbox.isPausing
      if mustPause { inbox.isPausing = true }
      let mustRead = !inbox.reads.isEmpty && !inbox.isReading
      if mustRead { inbox.isReading = true }
      return (writer, mustPause, mustRead)
    }
    if let writer { writers[writer].queue.async { [self] in write(writer, hasPaused) } }
    if mustPause {
      DispatchQueue.global().asyncAfter(deadline: .now() + Self.pause) { [self] in
        startWorkers(hasPaused: true)
      }
    }
    if mustRead { reader.queue.async { [self] in readAll() } }
  }

  private func write(_ writer: Int, _ hasPaused: Bool) {
    var hasPaused = hasPaused
    while let items = nextChanges(for: writer, hasPaused) {
      hasPaused = false
      let results = committer.commit(items.map(\.work), on: writers[writer])
      for (item, error) in zip(items, results) { item.work.done(error) }
      inbox.withLock { $0.committing -= items.count }
      finish(items)
    }
    // Changes may be left that do not join a commit together.
    startWorkers()
  }

  /// Takes changes that are committed together; nil marks the writer as idle.
  private func nextChanges(for writer: Int, _ hasPaused: Bool) -> [Item]? {
    inbox.withLock { inbox in
      guard let first = inbox.changes.first, inbox.mayCommit || hasPaused else {
        inbox.idle.append(writer)
        return nil
      }
      var (taken, rest, size): ([Item], [Item], Int) = ([], [], 0)
      for item in inbox.changes {
        let fits = taken.isEmpty || item.work.joins(first.work) && size < Committer.bytes
        if fits && taken.count < batch {
          taken.append(item)
          size += item.work.size
        } else {
          rest.append(item)
        }
      }
      inbox.changes = rest
      inbox.committing += taken.count
      return taken
    }
  }

  private func readAll() {
    while true {
      let item = inbox.withLock { inbox -> Item? in
        guard !inbox.reads.isEmpty else {
          inbox.isReading = false
          return nil
        }
        return inbox.reads.removeFirst()
      }
      guard let item else { return }
      if case .read(let body) = item.work.kind { body(reader) }
      finish([item])
    }
  }

  private func finish(_ items: [Item]) {
    inbox.withLock { inbox in
      for item in items { for next in inbox.order.finish(item) { inbox.add(next) } }
    }
    startWorkers()
    for _ in items { unfinished.leave() }
  }
}
