import FusionSessions
import Synchronization

/// Which sessions this process has, by what it knows: the database has the last word.
final class Holdings: Sendable {
  private struct Contents {
    var node: Int64 = 0
    var epochs: [SessionID: Int64] = [:]
  }

  private let contents = Mutex(Contents())

  /// The number under which this process has joined last; 0 before.
  var node: Int64 { contents.withLock { $0.node } }

  /// Begins a lease: what there was before is nobody's.
  func begin(_ node: Int64) {
    contents.withLock { $0 = Contents(node: node) }
  }

  /// That of a session while the process has it as this node, else none that the database would give.
  func epoch(of id: SessionID, as node: Int64) -> Int64 {
    contents.withLock { $0.node == node ? $0.epochs[id] ?? -1 : -1 }
  }

  func hold(_ id: SessionID, _ epoch: Int64, as node: Int64) {
    contents.withLock { if $0.node == node { $0.epochs[id] = epoch } }
  }

  func drop(_ ids: some Sequence<SessionID>, as node: Int64) {
    contents.withLock { contents in
      guard contents.node == node else { return }
      for id in ids { contents.epochs[id] = nil }
    }
  }
}
