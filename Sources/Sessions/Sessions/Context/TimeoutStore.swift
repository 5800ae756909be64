import Synchronization
import UIFusionKit

/// A store that answers within a time: a request that takes longer is in doubt.
///
/// A disk may hang. Then requests end, and nothing counts as stored; later answers of the store are dropped.
final class TimeoutStore: SessionStore {
  /// The age of a request from which on the store counts as hanging.
  static let hangingAge = Duration.seconds(5)
  /// The age at which a request is given up.
  static let timeout = Duration.seconds(10)

  /// A change of the store's health; reported once each time.
  enum Event: Sendable {
    /// The store hangs.
    case hangs
    /// A request was given up.
    case gaveUp
  }

  private struct Request {
    let begun: Duration
    let giveUp: @Sendable () -> Void
  }

  private struct Contents {
    /// The requests that the store works on, by number: later ones have higher numbers.
    var requests: [Int: Request] = [:]
    var number = 0
    var isTimed = false
    var isHangingTold = false
  }

  private let store: any SessionStore
  private let dependencies: Dependencies
  private let report: @Sendable (Event) -> Void
  private let contents = Mutex(Contents())

  init(
    _ store: any SessionStore,
    _ dependencies: Dependencies,
    report: @escaping @Sendable (Event) -> Void
  ) {
    self.store = store
    self.dependencies = dependencies
    self.report = report
  }

  /// The age of the oldest request; zero if there is none.
  var age: Duration {
    let now = dependencies.time.now
    return contents.withLock { $0.requests.values.map(\.begun).min() }.map { now - $0 } ?? .zero
  }

  /// Whether a task sleeps until the oldest request is too old.
  var isTimed: Bool { contents.withLock { $0.isTimed } }

  func inventory() throws(StoreError) -> StoreInventory { try store.inventory() }

  func load(_ id: SessionID, _ done: @escaping StoreAnswer<StoredSession?>) {
    ask(done) { store.load(id, $0) }
  }

  func find(_ name: SessionName, _ done: @escaping StoreAnswer<SessionID?>) {
    ask(done) { store.find(name, $0) }
  }

  func shares(_ query: ShareQuery, _ done: @escaping StoreAnswer<[StoredShare]>) {
    ask(done) { store.shares(query, $0) }
  }

  func acquire(_ id: SessionID, _ done: @escaping StoreAnswer<Acquisition>) {
    ask(done) { store.acquire(id, $0) }
  }

  func interrupted(after place: Int64, _ done: @escaping StoreAnswer<InterruptedSessions>) {
    ask(done) { store.interrupted(after: place, $0) }
  }

  func alarms(
    dueBy time: WallTime,
    after last: DueAlarms.Item?,
    _ done: @escaping StoreAnswer<DueAlarms>
  ) {
    ask(done) { store.alarms(dueBy: time, after: last, $0) }
  }

  func crashed(_ done: @escaping StoreAnswer<[CrashedSession]>) {
    ask(done) { store.crashed($0) }
  }

  func commit(_ change: StoreChange, _ done: @escaping StoreCompletion) {
    tell(done) { store.commit(change, $0) }
  }

  func release(_ idle: [SessionID: Duration], _ done: @escaping StoreCompletion) {
    tell(done) { store.release(idle, $0) }
  }

  func close() { store.close() }

  // MARK: Waiting for the answer

  func load(_ id: SessionID) async -> Result<StoredSession?, StoreError> {
    await withCheckedContinuation { continuation in
      load(id) { continuation.resume(returning: $0) }
    }
  }

  func interrupted(after place: Int64) async -> Result<InterruptedSessions, StoreError> {
    await withCheckedContinuation { continuation in
      interrupted(after: place) { continuation.resume(returning: $0) }
    }
  }

  func alarms(
    dueBy time: WallTime,
    after last: DueAlarms.Item?
  ) async -> Result<DueAlarms, StoreError> {
    await withCheckedContinuation { continuation in
      alarms(dueBy: time, after: last) { continuation.resume(returning: $0) }
    }
  }

  func crashed() async -> Result<[CrashedSession], StoreError> {
    await withCheckedContinuation { continuation in
      crashed { continuation.resume(returning: $0) }
    }
  }

  /// Commits a change; returns the reason why it is not committed, nil if it is.
  func commit(_ change: StoreChange) async -> StoreError? {
    await withCheckedContinuation { continuation in
      commit(change) { continuation.resume(returning: $0) }
    }
  }

  // MARK: Asking

  private func ask<Found>(
    _ done: @escaping StoreAnswer<Found>,
    _ request: (@escaping StoreAnswer<Found>) -> Void
  ) {
    let number = begin { done(.failure(.unreachable("it hangs"))) }
    request { [self] result in if end(number) { done(result) } }
    watch(number)
  }

  private func tell(
    _ done: @escaping StoreCompletion,
    _ change: (@escaping StoreCompletion) -> Void
  ) {
    let number = begin { done(.inDoubt) }
    change { [self] error in if end(number) { done(error) } }
    watch(number)
  }

  // MARK: Time

  /// Notes a request that is about to be handed to the store; `giveUp` is called where it takes too long.
  private func begin(_ giveUp: @escaping @Sendable () -> Void) -> Int {
    let request = Request(begun: dependencies.time.now, giveUp: giveUp)
    return contents.withLock { contents in
      contents.number += 1
      contents.requests[contents.number] = request
      return contents.number
    }
  }

  /// Removes a request; returns whether the request still waited for the store's answer.
  private func end(_ number: Int) -> Bool {
    contents.withLock { $0.requests.removeValue(forKey: number) != nil }
  }

  /// Starts to check a request that was handed over for having taken too long.
  ///
  /// A single task sleeps, however many requests there are, and only if the store has not answered at once.
  private func watch(_ number: Int) {
    let mustTime = contents.withLock { contents in
      guard !contents.isTimed, contents.requests[number] != nil else { return false }
      contents.isTimed = true
      return true
    }
    guard mustTime else { return }
    let time = dependencies.time
    let first = time.now + Self.hangingAge
    Task.detached(executorPreference: dependencies.executor) { [weak self] in
      var next: Duration? = first
      while let deadline = next {
        guard (try? await time.sleep(until: deadline)) != nil else { return }
        next = self?.look()
      }
    }
  }

  /// Gives up the requests that are too old; returns when to look again, nil if no request is left.
  private func look() -> Duration? {
    let now = dependencies.time.now
    var isNews = false
    let (old, next): ([Request], Duration?) = contents.withLock { contents in
      let old = contents.requests.filter { now - $0.value.begun >= Self.timeout }
      for number in old.keys { contents.requests[number] = nil }
      let oldest = contents.requests.values.map(\.begun).min()
      let isHanging = !old.isEmpty || oldest.map { now - $0 >= Self.hangingAge } ?? false
      isNews = isHanging && !contents.isHangingTold
      contents.isHangingTold = isHanging
      contents.isTimed = oldest != nil
      let next = oldest.map { $0 + (isHanging ? Self.timeout : Self.hangingAge) }
      return (old.sorted { $0.key < $1.key }.map(\.value), next)
    }
    if isNews { report(.hangs) }
    for request in old { request.giveUp() }
    if !old.isEmpty { report(.gaveUp) }
    return next
  }
}
