import Dispatch
package import FusionSessions
import Synchronization

/// A store in a folder on the machine's own disk.
///
/// The writer has one thread: it commits all waiting changes at once, and has each `done` called in order. The folder
/// belongs to this instance alone, except for tools that read it.
package final class SQLiteSessionStore: SessionStore {
  package typealias Options = WriterOptions
  package typealias Event = WriterEvent

  private struct Inbox {
    var changes: [StoreChange] = []
    var dones: [StoreCompletion] = []
    var reads: ArraySlice<Read> = []
    /// Whether the queue works, or is about to.
    var isWorking = false
    /// Whether the queue will start by itself later.
    var isWaking = false
    var isClosed = false
    /// The reason to refuse all changes, if there is one.
    var failure: StoreError?

    var isEmpty: Bool { changes.isEmpty && reads.isEmpty }

    mutating func takeReads() -> ArraySlice<Read> {
      defer { reads = reads.dropFirst(readsAtOnce) }
      return reads.prefix(readsAtOnce)
    }

    /// Marks the queue as working; returns whether the caller has to start it.
    mutating func start() -> Bool {
      defer { isWorking = true }
      return !isWorking
    }
  }

  /// Reads something and returns the completion.
  private typealias Read = @Sendable (Writer) -> Completions.Completion

  /// The number of reads after which waiting changes have their turn.
  private static let readsAtOnce = 64

  private let inbox = Mutex(Inbox())
  private let writer: Writer
  private let shares: ShareReader
  private let files: StoreFiles
  private let observe: @Sendable (StoreCommit) -> Void
  private let queue = DispatchQueue(label: "sessions", qos: .userInitiated)
  private let completions = Completions("completions")

  /// Opens the store in a folder, and creates either if missing.
  ///
  /// `observe` is called after each commit, and `report` with each event, on a thread of the store's; neither may
  /// block.
  package init(
    folder: String,
    _ options: Options = Options(),
    observe: @escaping @Sendable (StoreCommit) -> Void = { _ in },
    report: @escaping @Sendable (Event) -> Void = { _ in }
  ) throws(StoreOpenError) {
    let writer = try Writer(folder: folder, options, report: report)
    let path = Schema.file(in: folder)
    do throws(StoreOpenError) {
      shares = try Schema.naming(path) { () throws(DatabaseError) in
        try ShareReader(folder: folder, vfs: options.vfs)
      }
    } catch {
      writer.close()
      throw error
    }
    self.writer = writer
    files = StoreFiles(folder, database: path)
    self.observe = observe
  }
}

// MARK: Requests

extension SQLiteSessionStore {
  package func inventory() throws(StoreError) -> StoreInventory {
    guard !inbox.withLock(\.isClosed) else { throw .closed }
    let result = queue.sync { Result { () throws(DatabaseError) in try writer.inventory() } }
    return try result.mapError(\.storeError).get()
  }

  package func load(_ id: SessionID, _ done: @escaping StoreAnswer<StoredSession?>) {
    read(done) { (writer) throws(DatabaseError) in try writer.load(id) }
  }

  package func find(_ name: SessionName, _ done: @escaping StoreAnswer<SessionID?>) {
    read(done) { (writer) throws(DatabaseError) in
      try SessionRows.find(name, in: writer.database)
    }
  }

  package func shares(_ query: ShareQuery, _ done: @escaping StoreAnswer<[StoredShare]>) {
    shares.find(query, done)
  }

  package func interrupted(
    after number: Int64,
    _ done: @escaping StoreAnswer<InterruptedSessions>
  ) {
    read(done) { (writer) throws(DatabaseError) in try writer.interrupted(after: number) }
  }

  package func alarms(
    dueBy time: WallTime,
    after last: DueAlarms.Item?,
    _ done: @escaping StoreAnswer<DueAlarms>
  ) {
    read(done) { (writer) throws(DatabaseError) in try writer.alarms(dueBy: time, after: last) }
  }

  package func crashed(_ done: @escaping StoreAnswer<[CrashedSession]>) {
    read(done) { (writer) throws(DatabaseError) in try CrashRows.repeated(in: writer.database) }
  }

  private func read<Found: Sendable>(
    _ done: @escaping StoreAnswer<Found>,
    _ body: @escaping @Sendable (Writer) throws(DatabaseError) -> Found
  ) {
    enqueue(else: { done(.failure(.closed)) }) { inbox in
      inbox.reads.append { writer in
        let result = Result { () throws(DatabaseError) in try body(writer) }
        return { done(result.mapError(\.storeError)) }
      }
    }
  }

  package func commit(_ change: StoreChange, _ done: @escaping StoreCompletion) {
    enqueue(else: { done(.closed) }) { inbox in
      inbox.changes.append(change)
      inbox.dones.append(done)
    }
  }

  /// Commits a change and waits for it: for tools, which have nothing else to do meanwhile.
  ///
  /// Must not be called by a `done`.
  package func perform(_ change: StoreChange) throws(StoreError) {
    if let error = perform([change]).first ?? nil { throw error }
  }

  /// Commits changes, together where that is possible, and waits for them; returns the error of each.
  ///
  /// Must not be called by a `done`.
  package func perform(_ changes: [StoreChange]) -> [StoreError?] {
    let answers = changes.map { change in
      let answer = Answer()
      commit(change) { error in
        answer.error.withLock { $0 = error }
        answer.isThere.signal()
      }
      return answer
    }
    return answers.map { answer in
      answer.isThere.wait()
      return answer.error.withLock { $0 }
    }
  }

  private final class Answer: Sendable {
    let error = Mutex<StoreError?>(nil)
    let isThere = DispatchSemaphore(value: 0)
  }

  /// Waits until all changes are committed and completed, unless a `done` is the caller: then the store closes after
  /// it returns.
  package func close() {
    inbox.withLock { $0.isClosed = true }
    shares.close()
    if Completions.isRunningHere {
      queue.async { [writer] in writer.close() }
    } else {
      // The queue finishes first what was handed over before.
      queue.sync { writer.close() }
      completions.wait()
    }
  }

  private func enqueue(
    else refuse: @escaping Completions.Completion,
    _ add: (inout Inbox) -> Void
  ) {
    let mustStart: Bool? = inbox.withLock { inbox in
      guard !inbox.isClosed else { return nil }
      add(&inbox)
      return inbox.start()
    }
    if let mustStart {
      if mustStart { queue.async(execute: work) }
    } else {
      // After the completions of what was handed over before.
      queue.async { [completions] in completions.run(refuse) }
    }
  }
}

// MARK: Upkeep

extension SQLiteSessionStore {
  /// The sizes of the database and of its write-ahead log in bytes, asked of the system; 0 if it does not tell.
  package var fileSizes: (database: Int, log: Int) { files.sizes }

  /// Checks that the folder and its files are still those that were opened; while they are not, returns the reason
  /// and refuses all changes.
  ///
  /// Call it about once a second, on any thread: changes in between may be lost with the process.
  package func checkFiles() -> StoreError? {
    let failure = files.missing.map { name in
      StoreError.unreachable("\(name) was deleted or replaced: put it back, or start again")
    }
    inbox.withLock { $0.failure = failure }
    return failure
  }

  /// Takes all steps of tidying that need no pause, and moves the write-ahead log into the database.
  package func tidy() {
    queue.sync {
      while writer.tidy() == .more {}
      writer.checkpointer.finish()
    }
  }
}

// MARK: The writer's thread

extension SQLiteSessionStore {
  /// Works until the inbox is empty and no tidying is due.
  @Sendable private func work() {
    #if DEBUG
      dispatchPrecondition(condition: .onQueue(queue))
    #endif
    var rounds = 0
    // Swapped with the inbox's, so that neither grows anew in each round.
    var changes: [StoreChange] = []
    while true {
      changes.removeAll(keepingCapacity: changes.capacity <= 1_024)
      var dones: [StoreCompletion] = []
      dones.reserveCapacity(min(changes.capacity, 1_024))
      let (reads, isClosed, failure) = inbox.withLock { inbox in
        swap(&inbox.changes, &changes)
        swap(&inbox.dones, &dones)
        return (inbox.takeReads(), inbox.isClosed, inbox.failure)
      }
      if changes.isEmpty && reads.isEmpty {
        let tidying = isClosed ? .done : writer.tidy()
        if tidying != .more && stopIfIdle(until: tidying == .later ? .now() + 1 : nil) { return }
      } else {
        if let failure {
          completions.run { [dones] in for done in dones { done(failure) } }
        } else {
          commit(changes, dones)
        }
        for read in reads { completions.run(read(writer)) }
        rounds += 1
        // Also if the store is never idle.
        if rounds.isMultiple(of: 32) { _ = writer.tidy() }
      }
    }
  }

  private func commit(_ changes: [StoreChange], _ dones: [StoreCompletion]) {
    guard !changes.isEmpty else { return }
    let start = ContinuousClock.now
    let result = writer.commit(changes)
    let commit = StoreCommit(
      changes: changes.count,
      entries: result.entries,
      duration: ContinuousClock.now - start,
      hasFailed: result.hasFailed
    )
    completions.run { [observe] in
      // First, so that who has an answer finds its commit counted.
      observe(commit)
      for (done, error) in zip(dones, result.results) { done(error) }
    }
    // History is dropped as fast as the log grows, also if the store is never idle.
    if writer.hasTooMuchHistory { _ = writer.tidy() }
    writer.checkpointer.committed(writer.database)
  }

  /// Ends the work if the inbox is empty, to continue at a given time; returns whether it ended.
  private func stopIfIdle(until time: DispatchTime?) -> Bool {
    let (hasStopped, mustWake) = inbox.withLock { inbox in
      guard inbox.isEmpty else { return (false, false) }
      inbox.isWorking = false
      defer { if time != nil { inbox.isWaking = true } }
      return (true, time != nil && !inbox.isWaking)
    }
    if let time, mustWake {
      queue.asyncAfter(deadline: time) { [weak self] in self?.wake() }
    }
    return hasStopped
  }

  private func wake() {
    let mustStart = inbox.withLock { inbox in
      inbox.isWaking = false
      return inbox.start()
    }
    if mustStart { work() }
  }
}
