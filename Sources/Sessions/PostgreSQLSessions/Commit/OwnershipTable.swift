import FusionSessions
import Synchronization

/// The sessions that this process owns as far as it knows; the database has the last word.
final class OwnershipTable: Sendable {
  private struct Contents {
    var lease: LeaseID?
    var sessions: [SessionID: (epoch: Int64, history: HistorySpans)] = [:]
    var attempted: LeaseID?
    var node: Int64 { lease?.number ?? 0 }

    func epoch(of id: SessionID, as node: Int64) -> Int64 {
      self.node == node ? sessions[id]?.epoch ?? unknownEpoch : unknownEpoch
    }
  }

  /// An epoch that the database never assigns.
  static let unknownEpoch: Int64 = -1

  private let contents = Mutex(Contents())

  /// The latest lease of this process.
  var lease: LeaseID? { contents.withLock { $0.lease } }

  /// The node number of the latest lease; 0 before the first.
  var node: Int64 { contents.withLock { $0.node } }

  /// A lease that this process has begun and not seen committed.
  var attempted: LeaseID? {
    get { contents.withLock { $0.attempted } }
    set { contents.withLock { $0.attempted = newValue } }
  }

  /// Begins a lease, with which all ownership under an earlier one ends.
  func begin(_ lease: LeaseID) {
    contents.withLock { $0 = Contents(lease: lease) }
  }

  /// Returns the epoch in which a node owns a session; ``unknownEpoch`` where that is not known.
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

  /// Counts stored appends; returns the history that is to be dropped now.
  func grow(
    by appends: [StoreChange.Append],
    limit: HistorySpans.Size,
    as node: Int64
  ) -> [TrimStatements.OldHistory] {
    contents.withLock { contents in
      guard contents.node == node else { return [] }
      return appends.compactMap { append in
        contents.sessions[append.session]?.history.grow(by: append, limit: limit)
          .map { (append.session, $0) }
      }
    }
  }

  /// Notes that dropping history of these sessions failed.
  func trimFailed(of ids: [SessionID]) {
    contents.withLock { contents in
      for id in ids { contents.sessions[id]?.history.failed() }
    }
  }
}
