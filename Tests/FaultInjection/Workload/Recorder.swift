import Synchronization

/// A thread-safe recorder of a history.
package final class Recorder: Sendable {
  private let history: Mutex<History>

  package init(_ patterns: [History.SessionPath: Pattern]) {
    var history = History()
    history.patterns = patterns
    self.history = Mutex(history)
  }

  package func finish(_ effects: [Effect]) -> History {
    history.withLock { history in
      history.effects = effects
      return history
    }
  }

  /// Records a view; returns its index.
  @discardableResult
  func record(_ view: View) -> Int {
    history.withLock { history in
      history.views.append(view)
      return history.views.count - 1
    }
  }

  func record(_ request: Request) { history.withLock { $0.requests.append(request) } }

  func record(_ end: StreamEnd) { history.withLock { $0.streamEnds.append(end) } }

  func record(_ fork: Fork) {
    history.withLock { history in
      history.forks.append(fork)
      history.patterns[fork.session] = history.patterns[fork.origin]
    }
  }

  func record(_ recovery: Recovery) { history.withLock { $0.recoveries.append(recovery) } }

  /// The forks that clients have created.
  var forks: [Fork] { history.withLock { $0.forks } }

  /// The versions of a session that were shown.
  func versions(of session: History.SessionPath) -> [Int] {
    history.withLock { $0.views.filter { $0.session == session }.map(\.version) }
  }
}
