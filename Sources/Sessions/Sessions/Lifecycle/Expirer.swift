import UIFusionKit

/// Ends sessions that have been idle for too long, and keeps the store up to date.
package final class Expirer: Sendable {
  private let directory: LockedDirectory
  private let ownership: any SessionOwnership
  private let health: StoreHealth
  private let ender: Ender
  private let uses: UseRecorder
  private let takeOver: TakeOver
  private let context: SessionContext

  init(
    _ directory: LockedDirectory,
    _ ownership: any SessionOwnership,
    _ health: StoreHealth,
    _ ender: Ender,
    _ uses: UseRecorder,
    _ takeOver: TakeOver,
    _ context: SessionContext
  ) {
    (self.directory, self.ownership, self.health) = (directory, ownership, health)
    (self.ender, self.uses, self.takeOver) = (ender, uses, takeOver)
    self.context = context
  }

  /// Expires sessions for as long as the task runs, and keeps the store up to date.
  ///
  /// With `wakingInterrupted` also wakes sessions that were interrupted at work: before any expires if this process has
  /// all sessions, as those at work do not expire; a shared store begins their idle time anew.
  package func run(wakingInterrupted: Bool) async throws {
    async let takingOver: Void = wakingInterrupted ? takeOver.run() : ()
    async let _: Void = repeatedly { performUpkeep() }
    if !ownership.isShared {
      try await takingOver
      try await markAlarms()
    }
    try await repeatedly { endIdle() }
  }

  private func repeatedly(_ work: () -> Void) async throws {
    let pause = min(max(context.limits.idleTime / 20, .milliseconds(50)), .seconds(30))
    while true {
      work()
      try await context.dependencies.time.sleep(for: pause)
    }
  }

  /// Ends the sessions that have been idle for too long, forgets ids that ended long ago, and brings the store up to
  /// date.
  package func expire() {
    endIdle()
    performUpkeep()
  }

  private func endIdle() {
    let deadline = context.dependencies.time.now - context.limits.idleTime
    expire(directory.withLock { $0.idle(since: deadline) }[...], unlessUsedSince: deadline)
  }

  /// Forgets ids that ended long ago, tells the store which sessions were used since the last time, and has the State
  /// of those that have been quiet stored in whole.
  private func performUpkeep() {
    let now = context.dependencies.time.now
    let forgotten = now - context.limits.memoryOfEnded
    let sweep = directory.withLock {
      $0.sweep(now: now, leftBefore: now - context.limits.idleTime, endedBefore: forgotten)
    }
    guard let store = context.store else { return }
    ownership.expireUnowned(unusedFor: context.limits.idleTime)
    store.commit(.forget(endedBefore: context.clock.wallTime(at: forgotten))) { _ in }
    uses.record()
    storeHeads(of: sweep.residents[...])
  }

  /// Stores States in whole, some at a time: Inputs want to commit, too.
  private func storeHeads(of sessions: ArraySlice<Session>) {
    var rest = sessions
    while !rest.isEmpty {
      let some = rest.prefix(64)
      rest = rest.dropFirst(64)
      let next: @Sendable () -> Void = { [self, rest] in storeHeads(of: rest) }
      var isWaiting = false
      for session in some {
        guard let log = session.instance?.log else { continue }
        if log.storeHead(isWaiting ? nil : next) { isWaiting = true }
      }
      if isWaiting { return }
    }
  }

  /// Ends sessions, some at a time: others want to commit, too, and sessions that are read take memory.
  private func expire(_ ids: ArraySlice<SessionID>, unlessUsedSince deadline: Duration) {
    guard !ids.isEmpty else { return }
    let count = ender.endsAtOnce
    ender.end(Array(ids.prefix(count)), .expired, unlessUsedSince: deadline) { [self] result in
      guard case .success = result else { return }
      expire(ids.dropFirst(count), unlessUsedSince: deadline)
    }
  }

  /// Notes which sleeping sessions have alarms, so that they do not expire; called before any does.
  ///
  /// Tries again each second while the store fails, or what it has of alarms is damaged: a session whose alarm cannot be
  /// seen could be lost.
  private func markAlarms() async throws {
    guard let store = context.store else { return }
    var isDamageReported = false
    var after: DueAlarms.Item?
    while true {
      switch await store.alarms(dueBy: .distantFuture, after: after) {
      case .failure(let error):
        health.failed(error)
        if case .damaged = error, !isDamageReported {
          context.report(.alarmsUnknown(error))
          isDamageReported = true
        }
        try await context.dependencies.time.sleep(for: .seconds(1))
      case .success(let found):
        directory.withLock { directory in
          for alarm in found.alarms where AlarmName(bytes: alarm.name) != .foreignFollowings {
            directory.setHasAlarm(true, of: alarm.session)
          }
        }
        after = found.next
        if after == nil { return }
      }
    }
  }
}
