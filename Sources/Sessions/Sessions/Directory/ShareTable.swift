/// The shares of sessions in memory.
package struct ShareTable: Sendable {
  private var shares: [SessionID: [StoredShare]] = [:]
  private var sessions: [ShareID: SessionID] = [:]

  package init() {}

  /// Adds a share, and removes the session's expired ones; returns false if the session has too many.
  package mutating func add(_ share: StoredShare) -> Bool {
    var all = shares[share.session] ?? []
    for old in all where !old.isValid(at: share.created) { sessions[old.id] = nil }
    all.removeAll { !$0.isValid(at: share.created) }
    let fits = all.count < StoredShare.limit
    if fits {
      all.append(share)
      sessions[share.id] = share.session
    }
    shares[share.session] = all
    return fits
  }

  package mutating func remove(_ id: ShareID) {
    guard let session = sessions.removeValue(forKey: id) else { return }
    shares[session]?.removeAll { $0.id == id }
    if shares[session]?.isEmpty == true { shares[session] = nil }
  }

  /// Removes all shares of sessions that have ended.
  package mutating func remove(of ended: [SessionID]) {
    guard !shares.isEmpty else { return }
    for session in ended {
      for share in shares.removeValue(forKey: session) ?? [] { sessions[share.id] = nil }
    }
  }

  package func find(_ query: ShareQuery) -> [StoredShare] {
    switch query {
    case .session(let id): shares[id] ?? []
    case .ids(let ids):
      ids.compactMap { id in sessions[id].flatMap { shares[$0]?.first { $0.id == id } } }
    }
  }
}
