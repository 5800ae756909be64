import FusionSessions
import FusionStoreDoubles

/// Recovery of sessions to earlier versions while nodes run.
extension ClusterWorld {
  /// Plans the recovery of a session.
  func planRecovery(within time: Duration) {
    scheduler.after(scheduler.duration(upTo: time)) { [self] in
      let sessions = ledger.sessions
      if !sessions.isEmpty { recover(sessions[scheduler.below(sessions.count)]) }
    }
  }

  /// Recovers a session without a living owner to a version that was shown.
  private func recover(_ id: SessionID) {
    guard let (version, shown) = ledger.anyVersion(of: id) else { return }
    var newest: [UInt8]?
    let append = memory.append(to: id) { session in
      newest = session.newest(patches).state
      let log = memory.sessions.log(of: id)
      let lookup = try? PastLookup(
        session,
        log: planted.contains(.misreadPast) ? log.misread : log,
        at: .version(version),
        patches
      )
      guard case .found(let past)? = lookup else { return nil }
      return past.recovery(at: memory.time)
    }
    guard let append, let head = append.head else { return }
    scheduler.note(35, "\(id.redacted) is recovered to version \(version)")
    scheduler.coverage.add(.recoveredAmongNodes)
    if head.state != shown {
      scheduler.fail(.recovery, "version \(head.version) has another State than \(version)")
    }
    guard let kept = ShownState(head.state), let before = ShownState(newest) else { return }
    ledger.takeBack(id, to: kept, from: before, memory.stored(id)?.alarms ?? [])
  }
}
