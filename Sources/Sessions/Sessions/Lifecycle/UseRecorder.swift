import UIFusionKit

/// Tells the store of the last uses of sessions.
final class UseRecorder: Sendable {
  private let directory: LockedDirectory
  private let context: SessionContext

  init(_ directory: LockedDirectory, _ context: SessionContext) {
    (self.directory, self.context) = (directory, context)
  }

  /// The most uses in one commit: others want to commit, too.
  private static let usesAtOnce = 1_000

  /// Stores when the sessions were used last, by the calendar as it is now.
  ///
  /// The uses of sleeping sessions are stored again when the calendar was set, or the store has not taken them before.
  func record() {
    guard context.store != nil else { return }
    let step = context.clock.compare()
    if let step { context.report(.calendarSet(step)) }
    let (residents, asleep) = directory.withLock { ($0.residents, $0.takeUses(ofAll: step != nil)) }
    var rest = asleep.mapValues { context.clock.wallTime(at: $0) }[...]
    while !rest.isEmpty {
      let some = rest.prefix(Self.usesAtOnce)
      rest = rest.dropFirst(Self.usesAtOnce)
      store(Dictionary(uniqueKeysWithValues: some.map { ($0.key, $0.value) }), of: [])
    }
    record(residents)
  }

  /// Stores when sessions in memory were used last, if the store does not have it.
  func record(_ residents: [Session]) {
    guard context.store != nil else { return }
    let clock = context.clock
    let (now, adjustmentCount) = (context.dependencies.time.now, clock.adjustmentCount)
    var uses: [SessionID: WallTime] = [:]
    var users: [Session] = []
    for session in residents {
      if let use = session.use.takeUnstored(now, adjustmentCount: adjustmentCount) {
        uses[session.id] = clock.wallTime(at: use)
        users.append(session)
      }
      if uses.count == Self.usesAtOnce {
        store(uses, of: users)
        (uses, users) = ([:], [])
      }
    }
    if !uses.isEmpty { store(uses, of: users) }
  }

  /// Stores uses; those that the store does not take are stored the next time, whether their sessions sleep or not.
  private func store(_ uses: [SessionID: WallTime], of users: [Session]) {
    context.store?.commit(.use(uses)) { [directory] error in
      guard error != nil else { return }
      for session in users { session.use.notStored() }
      directory.withLock { $0.usesNotStored(uses.keys) }
    }
  }
}
