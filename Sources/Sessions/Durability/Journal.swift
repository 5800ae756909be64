import Synchronization
import UIFusionKit

/// What a session has done, on its way to the store; and what waits until it stands there.
///
/// Every State is recorded before it is seen. What shows it, a frame or an answer, passes here and
/// leaves in the order in which it came, once everything recorded before it is stored. When the store
/// fails, nothing passes any more, and whoever waits for an answer is told.
final class Journal: Sendable {
  /// After so many entries State is stored in whole, as what reading begins with.
  static let entriesPerHead = 64

  struct Position: Sendable {
    var sequence: Int
    var version: Int
    var format: Int
    var state: [UInt8]
  }

  enum Output: Sendable {
    case pass(@Sendable () -> Void)
    case answer(stored: @Sendable () -> Void, failed: @Sendable (StoreError) -> Void)
  }

  fileprivate struct Contents {
    /// Nil until the session's first State has come.
    var position: Position?
    var running: [String] = []
    var trace = Trace()
    var unsent: [JournalEntry] = []
    /// Deliveries whose entries are to be stored together with the answer to come.
    var holds = 0
    var isSending = false
    var sent = 0
    var stored = 0
    var head = 0
    /// That of the head: reading takes what follows it for the same.
    var headFormat: Int?
    var outputs = FIFO<(after: Int, output: Output)>()
    var isDraining = false
    var failure: StoreError?
  }

  private let session: SessionID
  private let store: any SessionStore
  private let patches: HostedViewModel.Patches
  private let now: @Sendable () -> WallTime
  private let failed: @Sendable (StoreError) -> Void
  private let contents = Mutex(Contents())

  /// A journal that goes on at a position, where `running` was interrupted, or that of a new session.
  ///
  /// `failed` is told once, before those who wait for an answer.
  init(
    of session: SessionID,
    in store: any SessionStore,
    from position: Position?,
    patches: HostedViewModel.Patches = HostedViewModel.Patches(),
    running: [String] = [],
    now: @escaping @Sendable () -> WallTime,
    failed: @escaping @Sendable (StoreError) -> Void
  ) {
    self.session = session
    self.store = store
    self.patches = patches
    self.now = now
    self.failed = failed
    contents.withLock { contents in
      contents.position = position
      contents.running = running
      contents.headFormat = position?.format
      let sequence = position?.sequence ?? 0
      (contents.sent, contents.stored, contents.head) = (sequence, sequence, sequence)
    }
  }

  /// Where the session is, stored or not.
  var position: Position? { contents.withLock { $0.position } }

  /// Whether an entry stands that was recorded after another.
  func hasStored(after sequence: Int) -> Bool {
    contents.withLock { $0.stored > sequence }
  }

  /// Why it came to an end, where it did.
  var failure: StoreError? { contents.withLock { $0.failure } }

  // MARK: Recording

  /// Takes note of what leads to the next State: an object of JSON.
  func trace(_ event: [UInt8]) {
    contents.withLock { $0.trace.append(event) }
  }

  /// Records a State, which is stored as soon as may be; one that is stored already is not.
  ///
  /// Called on the engine alone.
  func record(_ snapshot: Snapshot, format: Int) {
    let patch = position.flatMap { patches.make($0.state, snapshot.state) }
    contents.withLock { contents in
      guard contents.failure == nil else { return }
      guard var position = contents.position else {
        contents.position = Position(
          sequence: 0,
          version: snapshot.version,
          format: format,
          state: snapshot.state
        )
        contents.headFormat = format
        return
      }
      guard position.version != snapshot.version else { return }
      position.sequence += 1
      position.version = snapshot.version
      position.state = snapshot.state
      position.format = format
      contents.position = position
      contents.unsent.append(
        JournalEntry(
          sequence: position.sequence,
          version: position.version,
          time: now(),
          outcome: patch.map { .patch($0) } ?? .state(position.state),
          running: contents.running,
          trace: contents.trace.take()
        )
      )
    }
    send()
  }

  /// From here on entries wait for the answer that they lead to, to be stored with it as one.
  func hold() {
    contents.withLock { $0.holds += 1 }
  }

  /// The answer is known.
  func release(with answer: KeyedAnswer) {
    contents.withLock { contents in
      contents.holds -= 1
      if !contents.attach(answer) { contents.add(answer, now()) }
    }
    send()
  }

  /// The session has ended before there was an answer: what is held is never stored, or a repetition
  /// would apply it once more.
  func dropHeld() {
    let outputs = contents.withLock { contents in
      contents.unsent = []
      let sent = contents.sent
      return contents.outputs.removeAll { $0.after > sent }.map(\.output)
    }
    for case .answer(_, let failed) in outputs { failed(.closed) }
  }

  /// Records an answer that was given later than its Inputs were taken up.
  func record(_ answer: KeyedAnswer) {
    contents.withLock { $0.add(answer, now()) }
    send()
  }

  /// Stores the State in whole, where that is not the newest entry's already.
  func recordHead() {
    let append: StoreChange.Append? = contents.withLock { contents in
      guard contents.failure == nil, contents.unsent.isEmpty, !contents.isSending,
        let position = contents.position, contents.head < position.sequence
      else { return nil }
      contents.head = position.sequence
      contents.isSending = true
      return StoreChange.Append(
        session,
        after: position.sequence,
        [],
        head: position.head(contents.running)
      )
    }
    guard let append else { return }
    hand(over: append)
    send()
  }

  // MARK: Sending

  private func send() {
    while let append = contents.withLock({ $0.nextAppend(session) }) { hand(over: append) }
  }

  private func hand(over append: StoreChange.Append) {
    let last = append.after + append.entries.count
    store.commit(.append(append)) { [self] error in
      switch error {
      case nil: stored(upTo: last)
      // Nobody waits for a State in whole, and an entry that comes after it may stand.
      case _? where append.entries.isEmpty: contents.withLock { $0.head = 0 }
      case let error?: fail(error)
      }
    }
    contents.withLock { $0.isSending = false }
  }

  private func stored(upTo sequence: Int) {
    contents.withLock { $0.stored = max($0.stored, sequence) }
    drain()
  }

  /// Ends it: nothing that is not stored is ever seen.
  func fail(_ error: StoreError) {
    let outputs: [Output] = contents.withLock { contents in
      guard contents.failure == nil else { return [] }
      contents.failure = error
      contents.unsent = []
      return contents.outputs.removeAll { _ in true }.map(\.output)
    }
    failed(error)
    for case .answer(_, let failed) in outputs { failed(error) }
  }

  // MARK: Passing

  /// Lets something be seen once everything recorded so far is stored.
  func pass(_ output: Output) {
    enum Step { case now, later, failed(StoreError) }
    let step: Step = contents.withLock { contents in
      if let failure = contents.failure { return .failed(failure) }
      let sequence = contents.position?.sequence ?? 0
      if contents.stored >= sequence, contents.outputs.isEmpty, !contents.isDraining { return .now }
      contents.outputs.append((sequence, output))
      return .later
    }
    switch step {
    case .now: output.stored()
    case .later: break
    case .failed(let error): if case .answer(_, let failed) = output { failed(error) }
    }
  }

  /// In order, by one thread at a time.
  private func drain() {
    let isFirst = contents.withLock { contents in
      defer { contents.isDraining = true }
      return !contents.isDraining
    }
    guard isFirst else { return }
    while let output = contents.withLock({ $0.nextOutput() }) { output.stored() }
  }
}

extension Journal.Output {
  fileprivate func stored() {
    switch self {
    case .pass(let body): body()
    case .answer(let stored, _): stored()
    }
  }
}

extension Journal.Position {
  fileprivate func head(_ running: [String]) -> StoredHead {
    StoredHead(
      sequence: sequence,
      version: version,
      format: format,
      state: state,
      running: running
    )
  }
}

extension Journal.Contents {
  /// Puts an answer to the entry whose State it shows, if that is still here.
  fileprivate mutating func attach(_ answer: KeyedAnswer) -> Bool {
    guard failure == nil, let last = unsent.indices.last, unsent[last].answer == nil,
      unsent[last].version == position?.version
    else { return false }
    unsent[last].answer = answer
    return true
  }

  fileprivate mutating func add(_ answer: KeyedAnswer, _ now: WallTime) {
    guard failure == nil, var position else { return }
    position.sequence += 1
    self.position = position
    unsent.append(
      JournalEntry(
        sequence: position.sequence,
        version: position.version,
        time: now,
        outcome: .unchanged,
        running: running,
        trace: trace.take(),
        answer: answer
      )
    )
  }

  /// Everything that is to be stored now; nil where there is nothing, or somebody is handing over.
  fileprivate mutating func nextAppend(_ session: SessionID) -> StoreChange.Append? {
    guard failure == nil, !isSending, holds == 0, !unsent.isEmpty, let position else { return nil }
    isSending = true
    var append = StoreChange.Append(session, after: sent, unsent)
    unsent = []
    sent = position.sequence
    if sent - head >= Journal.entriesPerHead || position.format != headFormat {
      head = sent
      headFormat = position.format
      append.head = position.head(running)
    }
    return append
  }

  fileprivate mutating func nextOutput() -> Journal.Output? {
    guard let first = outputs.first, first.after <= stored, failure == nil else {
      isDraining = false
      return nil
    }
    return outputs.popFirst()?.output
  }
}

extension Journal: OutputGate {
  func announce(running: [String]) {
    contents.withLock { $0.running = running }
  }

  func pass(_ body: @escaping @Sendable () -> Void) {
    pass(.pass(body))
  }
}
