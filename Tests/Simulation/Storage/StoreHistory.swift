import Sessions

/// Every State that a store has ever held, by session and version.
final class StoreHistory {
  struct Record {
    var states: [Int: [UInt8]] = [:]
    var version = 0
    var end: SessionEnd?
  }

  private(set) var sessions: [SessionID: Record] = [:]
  private let patches: HostedViewModel.Patches
  private let fail: (String) -> Void

  init(_ patches: HostedViewModel.Patches, fail: @escaping (String) -> Void) {
    self.patches = patches
    self.fail = fail
  }

  /// Takes note of a change at the moment in which it stands.
  func add(_ change: StoreChange) {
    switch change {
    case .create(let session):
      hold(session.head.version, session.head.state, of: session.id)
    case .append(let append):
      for entry in append.entries { add(entry, of: append.session) }
    case .end(let ids, let end, _):
      for id in ids { sessions[id, default: Record()].end = end }
    case .use, .forget, .probe: break
    }
  }

  private func add(_ entry: JournalEntry, of id: SessionID) {
    switch entry.outcome {
    case .state(let state): hold(entry.version, state, of: id)
    case .unchanged:
      if sessions[id]?.version != entry.version {
        fail("3: an entry without a State has version \(entry.version) of its own")
      }
    case .patch(let patch):
      let old = sessions[id].flatMap { $0.states[$0.version] } ?? []
      guard let state = try? patches.apply(patch, old) else {
        return fail("5: a patch does not fit")
      }
      hold(entry.version, state, of: id)
    }
  }

  private func hold(_ version: Int, _ state: [UInt8], of id: SessionID) {
    var record = sessions[id] ?? Record()
    if record.end != nil { fail("7: a session that is over was written to") }
    if let known = record.states[version], known != state {
      fail("3: version \(version) is stored a second time with another State")
    }
    if version < record.version {
      fail("3: version \(version) is stored after \(record.version)")
    }
    record.states[version] = state
    record.version = version
    sessions[id] = record
  }
}
