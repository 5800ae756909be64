import Dispatch
import FusionSessions
import Synchronization

/// Drops what has become old history, on a line of its own: commits do not wait for it.
final class History: Sendable {
  private static let step = 64

  private let line: Line
  private let options: PostgreSQLSessionStore.Options
  private let due = Mutex<Set<SessionID>>([])

  init(_ line: Line, _ options: PostgreSQLSessionStore.Options) {
    self.line = line
    self.options = options
  }

  /// The State of these sessions was stored in whole.
  func trim(_ ids: [SessionID]) {
    let isFirst = due.withLock { due in
      defer { due.formUnion(ids) }
      return due.isEmpty
    }
    if isFirst { line.queue.async { [self] in trimDue() } }
  }

  private func trimDue() {
    let ids = Array(
      due.withLock { due in
        defer { due = [] }
        return due
      }
    )
    for first in stride(from: 0, to: ids.count, by: Self.step) {
      let some = Array(ids[first..<min(first + Self.step, ids.count)])
      // What fails is dropped with the next State that is stored in whole.
      _ = line.result { [options] (connection) throws(PostgreSQLError) in
        try Trimming.trim(
          some,
          entries: options.historyLimit,
          bytes: options.historyBytes,
          in: connection
        )
      }
    }
  }
}
