import FusionSessions
import FusionStoreDoubles

/// Recovery of sessions to earlier versions.
extension World {
  /// Recovers one session, or all of them, to a version or a time, while no process runs.
  func recover() {
    let stored = store.history.sessions.filter { $0.value.end == nil }.keys.sorted()
    guard !stored.isEmpty else { return }
    let one = stored[scheduler.below(stored.count)]
    guard let moments = store.history.sessions[one]?.moments else { return }
    let moment = moments[scheduler.below(moments.count)]
    let isOfAll = scheduler.chance(50)
    for id in isOfAll ? stored : [one] {
      recover(id, to: isOfAll ? .time(moment.time) : .version(moment.version))
    }
  }

  private func recover(_ id: SessionID, to point: HistoryPoint) {
    guard let (old, log) = try? store.archive.history(of: id),
      let before = store.history.sessions[id]
    else { return }
    // The tool does not recover sessions that were created later.
    if case .time(let time) = point, old.created > time { return }
    guard let lookup = try? PastLookup(old, log: log, at: point, store.patches) else {
      return scheduler.fail(.recovery, "the log of \(id.redacted) is damaged")
    }
    guard case .found(let past) = lookup, let version = before.version(at: point) else { return }
    guard var append = past.recovery(at: wallTime) else {
      if version != before.version {
        scheduler.fail(.recovery, "\(id.redacted) is not recovered to version \(version)")
      }
      return
    }
    if plan.planted.contains(.repeatedWork) { append.head?.running = ["tick"] }
    guard store.append(append) == nil else { return }
    scheduler.note(12, "\(id.redacted) is recovered to version \(version)")
    scheduler.coverage.add(.sessionRecovered)
    check(id, old, before, takenBackTo: version)
    undo(id, old, before, keeping: before.states[version])
  }

  /// Checks that the earlier State is a new version on top, and that nothing else has changed.
  private func check(
    _ id: SessionID,
    _ old: StoredSession,
    _ before: StoreHistory.Record,
    takenBackTo version: Int
  ) {
    guard let after = store.history.sessions[id], let new = store.memory.stored(id) else {
      return scheduler.fail(.recovery, "\(id.redacted) is lost")
    }
    let isOnTop = after.version == before.version + 1
    if !isOnTop || after.states[after.version] != before.states[version] {
      scheduler.fail(.recovery, "version \(after.version) has another State than \(version)")
    }
    if new.isAtWork {
      scheduler.fail(.recovery, "a recovery resumes work of version \(version)")
    }
    if new.alarms != old.alarms || new.keys != old.keys {
      scheduler.fail(.recovery, "\(id.redacted) has other alarms or keys than before")
    }
  }

  /// Limits what clients know of a session to the Inputs that its State still has.
  private func undo(
    _ id: SessionID,
    _ old: StoredSession,
    _ before: StoreHistory.Record,
    keeping state: [UInt8]?
  ) {
    guard let session = sessions.first(where: { $0.id == id }), let kept = ShownState(state),
      let newest = ShownState(before.states[before.version])
    else { return }
    session.origin = Origin(kept, before: session.whole(newest), old.alarms)
    session.isCutOff = true
    session.isTakenBack = true
    let left = Set(kept.numbers)
    for request in inputRequests where request.session === session {
      if !request.numbers.allSatisfy(left.contains) { request.undo() }
    }
  }

  /// Whether a session was ever recovered to an earlier State.
  func isTakenBack(_ id: String) -> Bool {
    sessions.contains { $0.isTakenBack && "\($0.id)" == id }
  }
}
