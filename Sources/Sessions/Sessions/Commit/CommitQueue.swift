import UIFusionKit

/// A session's results that are not stored, or not released, yet.
///
/// Pure: its functions return what is to be handed to the store, and which result is to be released next. Entries are
/// numbered; a result is released once every entry up to its own is stored, and every result before it is released.
struct CommitQueue {
  /// The fewest entries after which State is stored in whole, for reading to begin with.
  static let entriesPerHead = 64
  /// The number of entries after which State is stored in whole again, where versions are kept.
  static let entriesPerFullState = 512
  /// The milliseconds after which State is stored in whole again.
  private static let fullStateAge: Int64 = 24 * 3_600 * 1_000
  /// The number of waiting results at which no more turns are taken.
  private static let resultLimit = 256

  /// The newest State, stored or not.
  struct Base {
    var sequence: Int
    var format: Int
    var snapshot: Snapshot
    /// The names of what is running.
    var running: [String] = []
    /// The newest entry that has the State in whole; nil if unknown.
    var lastFullState: (sequence: Int, time: WallTime)?

    /// Whether so many names are running that entries store only changes of them.
    var hasManyNames: Bool { running.count >= RunningNames.many }

    /// Whether the next change of State is to be stored in whole, so that reading a version of long ago needs few
    /// entries before it.
    func needsFullState(at time: WallTime) -> Bool {
      guard let lastFullState else { return true }
      return sequence + 1 - lastFullState.sequence >= CommitQueue.entriesPerFullState
        || time.milliseconds - lastFullState.time.milliseconds >= CommitQueue.fullStateAge
    }
  }

  /// A result that is to be stored or released.
  final class Waiting: Sendable {
    let result: TurnResult
    let snapshot: Snapshot?
    /// The number of the entry that has to be stored first.
    let sequence: Int

    init(_ result: consuming TurnResult, _ snapshot: Snapshot?, behind sequence: Int?) {
      self.result = result
      self.snapshot = snapshot
      self.sequence = sequence ?? 0
    }
  }

  /// The next action of the caller who adds a result.
  enum Step {
    case release
    /// The append is to be handed to the store.
    case store(StoreChange.Append)
    /// The result is released after those before it.
    case wait
    /// The result will never be stored.
    case withdraw
  }

  /// The newest State; nil until the first one has come.
  private(set) var base: Base?
  private var isReleasing = false
  /// Whether the store has an append of this session; later entries wait for the next one.
  private var isStoring = false
  /// The bytes of the entries after the head; narrow, since each session has one.
  private var bytesAfterHead: UInt32
  private(set) var failure: StoreError?
  private var unsent: [LogEntry] = []
  private var unsentAlarms: [AlarmChange] = []
  private var sent: Int
  private var stored: Int
  private var head: Int
  private var waiting: [Waiting] = []
  /// The bytes of entries and alarms that wait for the append that the store has, and those of that append.
  private var (unsentBytes, sendingBytes) = (0, 0)
  private let byteLimit: Int
  /// The format of the head, in which the entries after it are read, too.
  private var headFormat: Int?

  /// Creates a queue that goes on at a stored position, and is full at `byteLimit` bytes of entries and alarms that are
  /// not stored.
  init(after position: StoredPosition?, byteLimit: Int) {
    let sequence = position?.sequence ?? 0
    (sent, stored, head) = (sequence, sequence, position?.head ?? 0)
    bytesAfterHead = UInt32(clamping: position?.bytesAfterHead ?? 0)
    headFormat = position?.format
    self.byteLimit = byteLimit
  }

  /// Whether no more turns are to be taken for now.
  var isFull: Bool { waiting.count >= Self.resultLimit || unsentBytes + sendingBytes >= byteLimit }

  /// Whether all is stored and released.
  var isAtRest: Bool {
    failure == nil && unsent.isEmpty && waiting.isEmpty && !isStoring && !isReleasing
  }

  /// Whether the store has an entry of that number, and has not answered.
  private func isSent(_ sequence: Int) -> Bool { sequence > stored && sequence <= sent }

  mutating func begin(
    _ snapshot: Snapshot,
    format: Int,
    running: [String] = [],
    lastFullState: (sequence: Int, time: WallTime)? = nil
  ) {
    base = Base(
      sequence: sent,
      format: format,
      snapshot: snapshot,
      running: running,
      lastFullState: lastFullState
    )
    headFormat = headFormat ?? format
  }

  // MARK: Committing

  /// Adds a result, and its entry where it has one.
  mutating func add(
    _ waiting: Waiting,
    _ entry: LogEntry?,
    format: Int,
    of session: SessionID
  ) -> Step {
    guard failure == nil else { return .withdraw }
    if let snapshot = waiting.snapshot { base?.snapshot = snapshot }
    if let entry {
      base?.sequence = entry.sequence
      base?.format = format
      if case .state = entry.outcome { base?.lastFullState = (entry.sequence, entry.time) }
      base?.running = waiting.result.running
      let size = entry.size
      bytesAfterHead = UInt32(clamping: Int(bytesAfterHead) + size)
      unsentBytes += waiting.result.alarms.reduce(size) { $0 + $1.size }
      unsent.append(entry)
      unsentAlarms += waiting.result.alarms
    }
    guard waiting.sequence > stored || !self.waiting.isEmpty || isReleasing else {
      isReleasing = true
      return .release
    }
    self.waiting.append(waiting)
    return nextAppend(session).map { .store($0) } ?? .wait
  }

  /// Takes everything that is to be stored now, as one append; nil if there is nothing, or the store has one.
  mutating func nextAppend(_ session: SessionID) -> StoreChange.Append? {
    guard failure == nil, !isStoring, !unsent.isEmpty, let base else { return nil }
    isStoring = true
    var append = StoreChange.Append(session, after: sent, unsent)
    append.add(unsentAlarms)
    (unsent, unsentAlarms) = ([], [])
    (sendingBytes, unsentBytes) = (unsentBytes, 0)
    sent = base.sequence
    if wantsHead(base) {
      head = sent
      headFormat = base.format
      bytesAfterHead = 0
      append.head = base.head()
    }
    return append
  }

  /// Whether State is to be stored in whole: to write it costs a part of what the entries since then have cost, and
  /// to read them a part of what it costs to read State.
  private func wantsHead(_ base: Base) -> Bool {
    sent - head >= Self.entriesPerHead && bytesAfterHead >= base.snapshot.stored.count / 4
      || base.format != headFormat
  }

  /// Takes an append of the State in whole; nil if it was stored last, or other entries wait.
  mutating func headAppend(_ session: SessionID) -> StoreChange.Append? {
    guard failure == nil, unsent.isEmpty, !isStoring, let base, head < base.sequence else {
      return nil
    }
    head = base.sequence
    bytesAfterHead = 0
    isStoring = true
    return StoreChange.Append(session, after: base.sequence, [], head: base.head())
  }

  // MARK: Releasing

  /// Notes stored entries; returns the result that the caller is to release first.
  mutating func store(_ append: StoreChange.Append) -> Waiting? {
    isStoring = false
    stored = max(stored, append.after + append.entries.count)
    sendingBytes = 0
    guard !isReleasing else { return nil }
    isReleasing = true
    return nextRelease()
  }

  /// Notes that the store has not taken a State in whole: as no request waits for that, it is tried again.
  mutating func headFailed() {
    isStoring = false
    (head, bytesAfterHead) = (0, .max)
  }

  /// Takes the next result to release, for the caller who is releasing; nil ends that.
  mutating func nextRelease() -> Waiting? {
    guard failure == nil, let first = waiting.first, first.sequence <= stored else {
      isReleasing = false
      return nil
    }
    return waiting.removeFirst()
  }

  /// Ends the queue; returns the results that will never be stored, nil if it failed before.
  ///
  /// `doubt` is given the results that the store has not answered for, before a client can see the failure.
  mutating func fail(_ error: StoreError, doubt: (Waiting) -> Void) -> [Waiting]? {
    guard failure == nil else { return nil }
    for waiting in waiting where isSent(waiting.sequence) { doubt(waiting) }
    failure = error
    (unsent, unsentAlarms) = ([], [])
    defer { waiting = [] }
    return waiting
  }
}

extension CommitQueue.Base {
  /// Returns the State in whole, and the names of the work that was running then.
  func head() -> StoredHead {
    StoredHead(
      sequence: sequence,
      version: snapshot.version,
      format: format,
      state: snapshot.stored.bytes,
      running: running
    )
  }
}
