import FusionSessions
import Synchronization

/// Which sessions this process has, by what it knows: the database has the last word.
final class OwnershipTable: Sendable {
  private struct Contents {
    var lease: LeaseID?
    var sessions: [SessionID: (epoch: Int64, history: HistorySpans)] = [:]
    var attempted: LeaseID?
    var node: Int64 { lease?.number ?? 0 }

    func epoch(of id: SessionID, as node: Int64) -> Int64 {
      self.node == node ? sessions[id]?.epoch ?? -1 : -1
    }
  }

  private let contents = Mutex(Contents())

  /// The lease under which this process has joined last.
  var lease: LeaseID? { contents.withLock { $0.lease } }

  /// The number under which this process has joined last; 0 before.
  var node: Int64 { contents.withLock { $0.node } }

  /// The lease under which this process may have joined, without having been told.
  var attempted: LeaseID? {
    get { contents.withLock { $0.attempted } }
    set { contents.withLock { $0.attempted = newValue } }
  }

  /// Begins a lease: what there was before is nobody's.
  func begin(_ lease: LeaseID) {
    contents.withLock { $0 = Contents(lease: lease) }
  }

  /// That of a session while the process has it as this node, else none that the database would give.
  func epoch(of id: SessionID, as node: Int64) -> Int64 {
    contents.withLock { $0.epoch(of: id, as: node) }
  }

  func epochs(of ids: [SessionID], as node: Int64) -> [Int64] {
    contents.withLock { contents in ids.map { contents.epoch(of: $0, as: node) } }
  }

  func hold(_ id: SessionID, _ epoch: Int64, as node: Int64, _ history: HistorySpans) {
    contents.withLock { if $0.node == node { $0.sessions[id] = (epoch, history) } }
  }

  func drop(_ ids: some Sequence<SessionID>, as node: Int64) {
    contents.withLock { contents in
      guard contents.node == node else { return }
      for id in ids { contents.sessions[id] = nil }
    }
  }

  /// Counts what was stored; gives what is to be dropped of history therefore.
  func grow(
    by appends: [StoreChange.Append],
    limit: HistorySpans.Size,
    as node: Int64
  ) -> [(SessionID, HistorySpans.Old)] {
    contents.withLock { contents in
      guard contents.node == node else { return [] }
      return appends.compactMap { append in
        contents.sessions[append.session]?.history.grow(by: append, limit: limit)
          .map { (append.session, $0) }
      }
    }
  }

  /// What was to be dropped of their history was not.
  func trimFailed(of ids: [SessionID]) {
    contents.withLock { contents in
      for id in ids { contents.sessions[id]?.history.failed() }
    }
  }
}
