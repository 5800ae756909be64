import Synchronization
import UIFusionKit

/// Sessions that go back to sleep, so that memory is given back.
extension SessionHost {
  /// Puts sessions to sleep, one after another, that nobody was with for a while and in which nothing is
  /// at work: no effect, no timer, no Input, and nothing that is not stored.
  ///
  /// They are read again when somebody asks for them. Does nothing without a store.
  ///
  /// - Parameter idleTime: for how long nobody was with them; what the limits say where it is nil.
  /// - Returns: how many sleep now.
  @discardableResult
  package func putIdleToSleep(after idleTime: Duration? = nil) async -> Int {
    guard store != nil else { return 0 }
    releaseAgain()
    let deadline = dependencies.time.now - (idleTime ?? limits.sleepAfter)
    let idle = table.withLock { table in
      table.sessions.values.filter { $0.isAwake && $0.use.isIdle(since: deadline) }
    }
    guard !idle.isEmpty else { return 0 }
    // The store has to know the last use before memory forgets it.
    storeUses()
    var count = 0
    for session in idle where await putToSleep(session, unlessUsedSince: deadline) { count += 1 }
    if count > 0 { report(.putToSleep(count)) }
    return count
  }

  /// Looks each second whether memory is short, and then puts those to sleep that nobody was with for a
  /// second; for as long as the task runs.
  ///
  /// Where it is full, a refused request does not keep a session awake, and `giveBack` is called: what was
  /// freed by whomever is to go back to the system, or memory would stay full.
  package func keepRelievingMemory(_ giveBack: @Sendable () -> Void) async throws {
    while true {
      try await dependencies.time.sleep(for: .seconds(1))
      guard memory.isShort else { continue }
      await putIdleToSleep(after: memory.isFull ? .milliseconds(20) : .seconds(1))
      if memory.isFull { giveBack() }
    }
  }

  /// Does so for as long as the task runs.
  package func keepPuttingToSleep() async throws {
    let pause = max(limits.sleepAfter / 4, .milliseconds(50))
    while true {
      try await dependencies.time.sleep(for: pause)
      await putIdleToSleep()
    }
  }

  /// Whether it sleeps; somebody may have asked for it by then.
  private func putToSleep(_ session: Session, unlessUsedSince deadline: Duration) async -> Bool {
    let id = session.id
    let isClaimed = table.withLock { table in
      guard table.busy[id] == nil, table.sessions[id] === session,
        session.use.isIdle(since: deadline), session.use.isStored
      else { return false }
      // Whoever asks meanwhile waits.
      table.busy[id] = SessionTable.Busy()
      return true
    }
    guard isClaimed else { return false }
    let isAsleep = await session.sleep()
    enum Step { case none, load, finish, release }
    let step: Step = table.withLock { table in
      guard isAsleep else { return .finish }
      table.sessions[id] = nil
      table.asleep[id] = session.use.lastUse
      if lease != nil { return .release }
      if table.busy[id]?.waking.isEmpty == false { return .load }
      if table.busy[id]?.deleting.isEmpty == false { return .finish }
      // Under this lock: who asks from here on is to have it read, and not told that it is awake.
      table.busy[id] = nil
      return .none
    }
    switch step {
    case .none: break
    case .load: load(id, into: nil)
    case .finish: finish(id, nil)
    case .release: release(id)
    }
    return isAsleep
  }
}
