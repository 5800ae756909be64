import FusionSessions

/// Everything that a store has ever held, by session and version.
final class StoreHistory {
  struct Record {
    /// The session as it was created.
    var first: StoredSession?
    /// The version after each entry, and its time.
    var moments: [(version: Int, time: WallTime)] = []
    /// The names of running work in the newest entry.
    var names: [String] = []
    /// The names of running work in the entries of each version.
    var running: [Int: Set<[String]>] = [:]
    var states: [Int: [UInt8]] = [:]
    /// The versions, in the order of storing.
    var versions: [Int] = []
    /// The number of Pulses assigned up to each version whose State has one.
    var pulses: [Int: Int] = [:]
    /// The version in which each number first appeared.
    var introduced: [Int: Int] = [:]
    /// The numbers of all Inputs that the entries mention, in a State or a trace.
    var mentioned: Set<Int> = []
    var keys: Set<String> = []
    var format = 0
    var end: SessionEnd?

    var version: Int { versions.last ?? 0 }

    /// Returns the version at a point of the log; nil before the first version.
    func version(at point: HistoryPoint) -> Int? {
      switch point {
      case .newest: version
      case .version(let version): states[version].map { _ in version }
      case .time(let time): moments.last { $0.time <= time }?.version
      }
    }

    /// Returns the previous version; nil for the first one.
    func version(before version: Int) -> Int? {
      versions.firstIndex(of: version).flatMap { $0 > 0 ? versions[$0 - 1] : nil }
    }

    /// Whether a Pulse was assigned in a version.
    func hasNewPulse(in version: Int) -> Bool {
      guard let before = self.version(before: version) else { return false }
      return pulses[version] != pulses[before]
    }
  }

  private(set) var sessions: [SessionID: Record] = [:]
  private let patches: HostedViewModel.Patches
  private let fail: (Rule, String) -> Void
  private let reached: (Situation) -> Void

  init(
    _ patches: HostedViewModel.Patches,
    fail: @escaping (Rule, String) -> Void,
    reached: @escaping (Situation) -> Void
  ) {
    self.patches = patches
    self.fail = fail
    self.reached = reached
  }

  /// Records a change at the moment it is stored.
  func add(_ change: StoreChange) {
    switch change {
    case .create(let session):
      store(session.head.version, session.head.state, of: session.id)
      let head = session.head
      sessions[session.id]?.first = session
      sessions[session.id]?.moments = [(head.version, session.created)]
      sessions[session.id]?.names = head.running
      sessions[session.id]?.running = [head.version: [head.running]]
    case .append(let append):
      for entry in append.entries { add(entry, of: append.session) }
      if let head = append.head {
        if !append.entries.isEmpty { reached(.headStored) }
        if sessions[append.session]?.states[head.version] != head.state {
          fail(.stored, "a head has another State than its version \(head.version)")
        }
      }
    case .end(let ids, let end, _):
      for id in ids { sessions[id, default: Record()].end = end }
      if end == .expired { reached(.sessionExpired) }
    case .use, .share, .revoke, .crash, .forget, .probe: break
    }
  }

  private func add(_ entry: LogEntry, of id: SessionID) {
    sessions[id]?.mentioned.formUnion(Bytes(entry.trace).numbers)
    if let key = entry.key?.key { sessions[id]?.keys.insert(key) }
    sessions[id]?.moments.append((entry.version, entry.time))
    var names = sessions[id]?.names ?? []
    do { try entry.running.apply(to: &names) } catch {
      fail(.stored, "changes of running names do not apply")
    }
    sessions[id]?.names = names
    if !entry.running.isWhole { reached(.changedNamesStored) }
    sessions[id]?.running[entry.version, default: []].insert(names)
    switch entry.outcome {
    case .state(let state): store(entry.version, state, of: id)
    case .unchanged:
      if sessions[id]?.version != entry.version {
        fail(.versions, "an entry without a State has version \(entry.version) of its own")
      }
    case .patch(let patch):
      let old = sessions[id].flatMap { $0.states[$0.version] } ?? []
      guard let state = try? patches.apply(patch, old) else {
        return fail(.stored, "a patch does not apply")
      }
      reached(.patchStored)
      store(entry.version, state, of: id)
    }
  }

  private func store(_ version: Int, _ state: [UInt8], of id: SessionID) {
    var record = sessions[id] ?? Record()
    if record.end != nil { fail(.ended, "an ended session is written") }
    if let known = record.states[version], known != state {
      fail(.versions, "version \(version) is stored a second time with another State")
    }
    if version < record.version {
      fail(.versions, "version \(version) is stored after \(record.version)")
    }
    let text = Bytes(state)
    for number in text.numbers where record.introduced[number] == nil {
      record.introduced[number] = version
    }
    record.mentioned.formUnion(text.numbers)
    if record.states[version] == nil { record.versions.append(version) }
    record.pulses[version] = text.pulses
    record.states[version] = state
    sessions[id] = record
  }
}
