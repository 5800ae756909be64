import UIFusionKit

/// Puts sessions to sleep, so that memory is given back, and releases those that other nodes may have.
package final class Sleeper: Sendable {
  private let directory: LockedDirectory
  private let waker: Waker
  private let uses: UseRecorder
  private let context: SessionContext

  init(
    _ directory: LockedDirectory,
    _ waker: Waker,
    _ uses: UseRecorder,
    _ context: SessionContext
  ) {
    (self.directory, self.waker) = (directory, waker)
    (self.uses, self.context) = (uses, context)
  }

  /// Puts sessions to sleep, one after another, that have not been used for a while and in which nothing is at work: no
  /// effect, no timer, no Input, and nothing that is not stored.
  ///
  /// The next request reads them again. Does nothing without a store.
  ///
  /// - Parameter idleTime: the time for which they have not been used; nil for the limit's time.
  /// - Returns: the number of sessions that were put to sleep.
  @discardableResult
  package func putIdleToSleep(after idleTime: Duration? = nil) async -> Int {
    guard context.store != nil else { return 0 }
    for id in directory.withLock({ $0.reacquireUnreleased() }) { release(id) }
    let deadline = time.now - (idleTime ?? context.limits.sleepAfter)
    let idle = directory.withLock { $0.unused(since: deadline) }
    guard !idle.isEmpty else { return 0 }
    // The store has to know the last use before memory forgets it.
    uses.record()
    return await putToSleep(idle, unlessUsedSince: deadline)
  }

  /// Puts those of `ids` to sleep that have not been used for a while and are not at work.
  func putToSleep(_ ids: [SessionID]) async {
    let sessions = directory.withLock { directory in ids.compactMap { directory.resident($0) } }
    uses.record(sessions)
    let deadline = time.now - context.limits.sleepAfter
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
    if count > 0 { context.report(.putToSleep(count)) }
    return count
  }

  /// Puts idle sessions to sleep for as long as the task runs.
  package func run() async throws {
    let pause = max(context.limits.sleepAfter / 4, .milliseconds(50))
    while true {
      try await time.sleep(for: pause)
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
      try await time.sleep(for: .seconds(1))
      guard context.memory.isShort else { continue }
      await putIdleToSleep(after: context.memory.isFull ? .milliseconds(20) : .seconds(1))
      if context.memory.isFull { giveBack() }
    }
  }

  /// Puts a session to sleep; returns whether it fell asleep, though a request may have woken it since.
  private func putToSleep(_ session: Session, unlessUsedSince deadline: Duration) async -> Bool {
    let isClaimed = directory.withLock { $0.beginSleep(session, unlessUsedSince: deadline) }
    guard isClaimed else { return false }
    guard await session.sleep() else {
      directory.finish(session.id, nil)
      return false
    }
    directory.withLock { $0.fellAsleep(session) }
    release(session.id)
    return true
  }

  /// Releases a sleeping session, which no one else is at work on.
  private func release(_ id: SessionID) {
    guard let lastUse = directory.withLock({ $0.beginRelease(id) }) else {
      return directory.finish(id, nil)
    }
    context.store?.release([id: time.now - lastUse]) { [directory, waker] error in
      let isWanted = directory.withLock { $0.released(id, error) }
      if isWanted { waker.load(id, into: nil) } else { directory.finish(id, nil) }
    }
  }

  private var time: any TimeSource { context.dependencies.time }
}
