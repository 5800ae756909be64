import Synchronization
import UIFusionKit

/// Tells the store of the last uses of sessions.
extension SessionHost {
  /// The most uses in one commit: others want to commit, too.
  private static let usesAtOnce = 1_000

  /// Stores when the sessions were used last, by the calendar as it is now.
  ///
  /// The uses of sleeping sessions are stored again when the calendar was set, or the store has not taken them before.
  func storeUses() {
    guard store != nil else { return }
    let step = clock.compare()
    if let step { report(.calendarSet(step)) }
    let (live, asleep) = table.withLock { ($0.live, $0.takeUses(ofAll: step != nil)) }
    var rest = asleep.mapValues { clock.wallTime(at: $0) }[...]
    while !rest.isEmpty {
      let some = rest.prefix(Self.usesAtOnce)
      rest = rest.dropFirst(Self.usesAtOnce)
      store(Dictionary(uniqueKeysWithValues: some.map { ($0.key, $0.value) }), of: [])
    }
    storeUses(of: live)
  }

  /// Stores when sessions in memory were used last, if the store does not have it.
  func storeUses(of live: [Session]) {
    let (now, adjustmentCount) = (dependencies.time.now, clock.adjustmentCount)
    var uses: [SessionID: WallTime] = [:]
    var users: [Session] = []
    for session in live {
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
  private func store(_ uses: [SessionID: WallTime], of live: [Session]) {
    store?.commit(.use(uses)) { [self] error in
      guard error != nil else { return }
      for session in live { session.use.notStored() }
      table.withLock { $0.usesNotStored(uses.keys) }
    }
  }
}
