import Dispatch
package import FusionSessions
import Synchronization

/// A store in a folder of the machine's own disk.
///
/// One thread writes: it takes all changes that wait, commits them at once, and then calls each
/// `done` in order. The folder is this instance's alone, but for tools that read: ``SQLiteSessionArchive``.
package final class SQLiteSessionStore: SessionStore {
  private struct Inbox {
    var changes: [StoreChange] = []
    var dones: [@Sendable (StoreError?) -> Void] = []
    var loads: ArraySlice<Load> = []
    /// Whether the queue works, or is about to.
    var isWorking = false
    /// Whether the queue will look again by itself.
    var isWaking = false
    var isClosed = false
    /// Why no change is taken, where that is so.
    var failure: StoreError?

    mutating func takeLoads() -> ArraySlice<Load> {
      defer { loads = loads.dropFirst(loadsAtOnce) }
      return loads.prefix(loadsAtOnce)
    }

    /// Something has come; returns whether the queue has to be set to work.
    mutating func begin() -> Bool {
      defer { isWorking = true }
      return !isWorking
    }
  }

  /// Reads something, and returns what tells it.
  private typealias Load = @Sendable (Writer) -> Completions.Completion

  /// How many are read before the changes that have come meanwhile.
  private static let loadsAtOnce = 64
  private static let isQueue = DispatchSpecificKey<Bool>()

  private let inbox = Mutex(Inbox())
  private let writer: Writer
  /// The path of the database.
  let file: String
  private let files: StoreFiles
  private let observe: @Sendable (StoreCommit) -> Void
  private let queue = DispatchQueue(label: "sessions", qos: .userInitiated)
  private let completions = Completions("completions")

  /// Opens the store in a folder, and makes what is missing of the two.
  ///
  /// `observe` is told of each commit, and `report` of what is not as it should be, on a thread of
  /// the store's; neither may block.
  package init(
    folder: String,
    _ options: Options = Options(),
    observe: @escaping @Sendable (StoreCommit) -> Void = { _ in },
    report: @escaping @Sendable (Event) -> Void = { _ in }
  ) throws(StoreOpenError) {
    file = Schema.file(in: folder)
    writer = try Writer(folder: folder, options, report: report)
    files = StoreFiles(folder)
    self.observe = observe
    queue.setSpecific(key: Self.isQueue, value: true)
  }
}

extension SQLiteSessionStore {
  package func inventory() throws(StoreError) -> StoreInventory {
    guard !inbox.withLock(\.isClosed) else { throw .closed }
    let result = queue.sync { Result { () throws(DatabaseError) in try writer.inventory() } }
    return try result.mapError(\.storeError).get()
  }

  package func load(
    _ id: SessionID,
    _ done: @escaping @Sendable (Result<StoredSession?, StoreError>) -> Void
  ) {
    read(done) { (writer) throws(DatabaseError) in try writer.load(id) }
  }

  package func interrupted(
    after number: Int64,
    _ done: @escaping @Sendable (Result<InterruptedSessions, StoreError>) -> Void
  ) {
    read(done) { (writer) throws(DatabaseError) in try writer.interrupted(after: number) }
  }

  private func read<Found: Sendable>(
    _ done: @escaping @Sendable (Result<Found, StoreError>) -> Void,
    _ read: @escaping @Sendable (Writer) throws(DatabaseError) -> Found
  ) {
    let mustWork: Bool? = inbox.withLock { inbox in
      guard !inbox.isClosed else { return nil }
      inbox.loads.append { writer in
        let result = Result { () throws(DatabaseError) in try read(writer) }
        return { done(result.mapError(\.storeError)) }
      }
      return inbox.begin()
    }
    guard let mustWork else { return refuse { done(.failure(.closed)) } }
    if mustWork { queue.async(execute: work) }
  }

  package func commit(_ change: StoreChange, _ done: @escaping @Sendable (StoreError?) -> Void) {
    let mustWork: Bool? = inbox.withLock { inbox in
      guard !inbox.isClosed else { return nil }
      inbox.changes.append(change)
      inbox.dones.append(done)
      return inbox.begin()
    }
    guard let mustWork else { return refuse { done(.closed) } }
    if mustWork { queue.async(execute: work) }
  }

  /// Refuses what comes after the close, once all that came before is told.
  private func refuse(_ completion: @escaping Completions.Completion) {
    queue.async { [self] in complete(completion) }
  }

  /// Runs a completion here while nothing waits for the writer, else beside it.
  private func complete(_ completion: @escaping Completions.Completion) {
    let isBusy = inbox.withLock { !$0.changes.isEmpty || !$0.loads.isEmpty }
    completions.run(isWriterBusy: isBusy, completion)
  }

  /// Waits until all is committed, unless a `done` calls it: then that comes after it returns.
  package func close() {
    inbox.withLock { $0.isClosed = true }
    // What was handed over before is worked off by then.
    if DispatchQueue.getSpecific(key: Self.isQueue) == true || Completions.isRunningHere {
      queue.async { [writer] in writer.close() }
    } else {
      queue.sync { writer.close() }
      completions.wait()
    }
  }

  /// Asks the system whether the folder and its files are still those that were opened; where they are
  /// not, says so, and takes no change before they are.
  ///
  /// To be called about each second, on any thread: until then changes may be lost with the process.
  package func checkFiles() -> StoreError? {
    let failure = files.missing.map { name in
      StoreError.unreachable("\(name) was deleted or replaced: put it back, or start again")
    }
    inbox.withLock { $0.failure = failure }
    return failure
  }

  /// Takes all steps at once that can wait, but not for a pause, and moves the write-ahead log into the
  /// database.
  package func tidy() {
    queue.sync {
      while writer.tidy() == .more {}
      writer.checkpointer.finish()
    }
  }

  /// Works until nothing waits.
  @Sendable private func work() {
    var rounds = 0
    // Taken in turn with those of the inbox, so that neither grows anew each time.
    var changes: [StoreChange] = []
    var dones: [@Sendable (StoreError?) -> Void] = []
    while true {
      changes.removeAll(keepingCapacity: changes.capacity <= 1_024)
      dones.removeAll(keepingCapacity: dones.capacity <= 1_024)
      let (loads, isClosed, failure) = inbox.withLock { inbox in
        swap(&inbox.changes, &changes)
        swap(&inbox.dones, &dones)
        return (inbox.takeLoads(), inbox.isClosed, inbox.failure)
      }
      if changes.isEmpty && loads.isEmpty {
        let tidying = isClosed ? .done : writer.tidy()
        if tidying != .more && rests(until: tidying == .later ? .now() + 1 : nil) { return }
      } else {
        if let failure {
          complete { [dones] in for done in dones { done(failure) } }
        } else {
          commit(changes, dones)
        }
        for load in loads { complete(load(writer)) }
        rounds += 1
        // Also where there is never a pause.
        if rounds.isMultiple(of: 32) { _ = writer.tidy() }
      }
    }
  }

  private func commit(_ changes: [StoreChange], _ dones: [@Sendable (StoreError?) -> Void]) {
    guard !changes.isEmpty else { return }
    let start = ContinuousClock.now
    let result = writer.commit(changes)
    let commit = StoreCommit(
      changes: changes.count,
      entries: result.entries,
      duration: ContinuousClock.now - start,
      hasFailed: result.hasFailed
    )
    complete { [observe] in
      for (done, error) in zip(dones, result.results) { done(error) }
      observe(commit)
    }
    // As fast as the log grows, also where there is never a pause.
    if writer.hasTooMuchHistory { _ = writer.tidy() }
    writer.checkpointer.committed(writer.database)
  }

  /// Ends the work unless something has come meanwhile; goes on with it at a time.
  private func rests(until time: DispatchTime?) -> Bool {
    let (rests, mustWake) = inbox.withLock { inbox in
      guard inbox.changes.isEmpty && inbox.loads.isEmpty else { return (false, false) }
      inbox.isWorking = false
      defer { if time != nil { inbox.isWaking = true } }
      return (true, time != nil && !inbox.isWaking)
    }
    if let time, mustWake {
      queue.asyncAfter(deadline: time) { [weak self] in self?.wake() }
    }
    return rests
  }

  private func wake() {
    let mustWork = inbox.withLock { inbox in
      inbox.isWaking = false
      defer { inbox.isWorking = true }
      return !inbox.isWorking
    }
    if mustWork { work() }
  }
}
