import Synchronization
import UIFusionKit

/// A store that always says something within a time: what takes longer than that is in doubt.
///
/// A disk may hang. Then requests end, and nothing is taken for stored: what the store says later is for
/// nobody any more. A session's log, which every Input passes, notes its requests here and hands them to
/// the store by itself.
final class TimeoutStore: SessionStore {
  /// From when on the store counts as hanging.
  static let hangingAge = Duration.seconds(5)
  /// How long to wait before giving up.
  static let patience = Duration.seconds(10)

  /// What is told, each time once.
  enum Event: Sendable {
    /// It hangs.
    case hangs
    /// Somebody was told that it did not answer.
    case gaveUp
  }

  private struct Request {
    let begun: Duration
    let giveUp: @Sendable () -> Void
  }

  private struct Contents {
    /// What the store is at, by number, in the order in which it was handed over.
    var requests: [Int: Request] = [:]
    var number = 0
    var isTimed = false
    var isHangingTold = false
  }

  /// The store that is timed.
  let timed: any SessionStore
  private let dependencies: Dependencies
  private let tell: @Sendable (Event) -> Void
  private let contents = Mutex(Contents())

  init(
    _ store: any SessionStore,
    _ dependencies: Dependencies,
    tell: @escaping @Sendable (Event) -> Void
  ) {
    timed = store
    self.dependencies = dependencies
    self.tell = tell
  }

  /// How long the store has been at what it was given first; zero where it is at nothing.
  var age: Duration {
    let now = dependencies.time.now
    return contents.withLock { $0.requests.values.map(\.begun).min() }.map { now - $0 } ?? .zero
  }

  /// Whether a task sleeps, to look whether it is still at it.
  var isTimed: Bool { contents.withLock { $0.isTimed } }

  func inventory() throws(StoreError) -> StoreInventory { try timed.inventory() }

  func load(
    _ id: SessionID,
    _ done: @escaping @Sendable (Result<StoredSession?, StoreError>) -> Void
  ) {
    let number = begin { done(.failure(.unreachable("it hangs"))) }
    timed.load(id) { [self] result in if end(number) { done(result) } }
    watch(number)
  }

  func acquire(
    _ id: SessionID,
    _ done: @escaping @Sendable (Result<Acquisition, StoreError>) -> Void
  ) {
    let number = begin { done(.failure(.unreachable("it hangs"))) }
    timed.acquire(id) { [self] result in if end(number) { done(result) } }
    watch(number)
  }

  func interrupted(
    after place: Int64,
    _ done: @escaping @Sendable (Result<InterruptedSessions, StoreError>) -> Void
  ) {
    let number = begin { done(.failure(.unreachable("it hangs"))) }
    timed.interrupted(after: place) { [self] result in if end(number) { done(result) } }
    watch(number)
  }

  func commit(_ change: StoreChange, _ done: @escaping @Sendable (StoreError?) -> Void) {
    let number = begin { done(.inDoubt) }
    timed.commit(change) { [self] error in if end(number) { done(error) } }
    watch(number)
  }

  func close() { timed.close() }

  // MARK: Sharing

  /// The store, where other nodes share it.
  var shared: (any SharedSessionStore)? { timed as? any SharedSessionStore }

  /// See ``SharedSessionStore/release(_:_:)``.
  func release(
    _ idle: [SessionID: Duration],
    _ done: @escaping @Sendable (StoreError?) -> Void
  ) {
    let number = begin { done(.inDoubt) }
    shared?.release(idle) { [self] error in if end(number) { done(error) } }
    watch(number)
  }

  // MARK: Time

  /// A request is about to be handed to the store; `giveUp` is called where that takes too long.
  func begin(_ giveUp: @escaping @Sendable () -> Void) -> Int {
    let request = Request(begun: dependencies.time.now, giveUp: giveUp)
    return contents.withLock { contents in
      contents.number += 1
      contents.requests[contents.number] = request
      return contents.number
    }
  }

  /// Whether somebody still waits for what the store says.
  func end(_ number: Int) -> Bool {
    contents.withLock { $0.requests.removeValue(forKey: number) != nil }
  }

  /// A request was handed over: from now on it is checked for having taken too long.
  ///
  /// One task sleeps, however much the store is at, and only where it has not answered at once.
  func watch(_ number: Int) {
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

  /// Gives up what is too old; returns when to look again, nil where the store is at nothing.
  private func look() -> Duration? {
    let now = dependencies.time.now
    var isNews = false
    let (old, next): ([Request], Duration?) = contents.withLock { contents in
      let old = contents.requests.filter { now - $0.value.begun >= Self.patience }
      for number in old.keys { contents.requests[number] = nil }
      let oldest = contents.requests.values.map(\.begun).min()
      let isHanging = !old.isEmpty || oldest.map { now - $0 >= Self.hangingAge } ?? false
      isNews = isHanging && !contents.isHangingTold
      contents.isHangingTold = isHanging
      contents.isTimed = oldest != nil
      let next = oldest.map { $0 + (isHanging ? Self.patience : Self.hangingAge) }
      return (old.sorted { $0.key < $1.key }.map(\.value), next)
    }
    if isNews { tell(.hangs) }
    for request in old { request.giveUp() }
    if !old.isEmpty { tell(.gaveUp) }
    return next
  }
}
