import Synchronization
import UIFusionKit

/// Sessions that go back to sleep, so that memory is given back.
extension SessionHost {
  /// Puts sessions to sleep, one after another, that have not been used for a while and in which nothing is at work: no
  /// effect, no timer, no Input, and nothing that is not stored.
  ///
  /// The next request reads them again. Does nothing without a store.
  ///
  /// - Parameter idleTime: the time for which they have not been used; nil for the limit's time.
  /// - Returns: the number of sessions that were put to sleep.
  @discardableResult
  package func putIdleToSleep(after idleTime: Duration? = nil) async -> Int {
    guard store != nil else { return 0 }
    for id in table.withLock({ $0.reacquireUnreleased() }) { release(id) }
    let deadline = dependencies.time.now - (idleTime ?? limits.sleepAfter)
    let idle = table.withLock { $0.unused(since: deadline) }
    guard !idle.isEmpty else { return 0 }
    // The store has to know the last use before memory forgets it.
    storeUses()
    return await putToSleep(idle, unlessUsedSince: deadline)
  }

  /// Puts those of `ids` to sleep that have not been used for a while and are not at work.
  func putToSleep(_ ids: [SessionID]) async {
    let sessions = table.withLock { table in ids.compactMap { table.live($0) } }
    storeUses(of: sessions)
    let deadline = dependencies.time.now - limits.sleepAfter
    await putToSleep(sessions, unlessUsedSince: deadline)
  }

  @discardableResult
  private func putToSleep(
    _ sessions: [Session],
    unlessUsedSince deadline: Duration
  ) async -> Int {
    var count = 0
    for session in sessions where await putToSleep(session, unlessUsedSince: deadline) {
      count += 1
    }
    if count > 0 { report(.putToSleep(count)) }
    return count
  }

  /// Puts idle sessions to sleep for as long as the task runs.
  package func keepPuttingToSleep() async throws {
    let pause = max(limits.sleepAfter / 4, .milliseconds(50))
    while true {
      try await dependencies.time.sleep(for: pause)
      await putIdleToSleep()
    }
  }

  /// Looks each second whether memory is short, and then puts sessions to sleep that have not been used for a second;
  /// for as long as the task runs.
  ///
  /// Where memory is full, a refused request does not keep a session awake, and `giveBack` is called, which returns
  /// freed memory to the system: else memory would stay full.
  package func keepRelievingMemory(_ giveBack: @Sendable () -> Void) async throws {
    while true {
      try await dependencies.time.sleep(for: .seconds(1))
      guard memory.isShort else { continue }
      await putIdleToSleep(after: memory.isFull ? .milliseconds(20) : .seconds(1))
      if memory.isFull { giveBack() }
    }
  }

  /// Puts a session to sleep; returns whether it fell asleep, though a request may have woken it since.
  private func putToSleep(_ session: Session, unlessUsedSince deadline: Duration) async -> Bool {
    let isClaimed = table.withLock { $0.beginSleep(session, unlessUsedSince: deadline) }
    guard isClaimed else { return false }
    guard await session.sleep() else {
      finish(session.id, nil)
      return false
    }
    table.withLock { $0.fellAsleep(session) }
    release(session.id)
    return true
  }
}
