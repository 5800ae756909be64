import Dispatch
import FusionSessions
import Synchronization

/// Drops what has become old history, on a line of its own: commits do not wait for it.
final class History: Sendable {
  typealias Old = (session: SessionID, part: HistorySpans.Old)

  private static let step = 64

  private let line: ConnectionWorker
  private let options: PostgreSQLSessionStore.Options
  private let holdings: OwnershipTable
  private let due = Mutex<[Old]>([])

  init(
    _ line: ConnectionWorker,
    _ options: PostgreSQLSessionStore.Options,
    _ holdings: OwnershipTable
  ) {
    self.line = line
    self.options = options
    self.holdings = holdings
  }

  func trim(_ old: [Old]) {
    let isFirst = due.withLock { due in
      defer { due += old }
      return due.isEmpty
    }
    if isFirst { line.queue.async { [self] in trimDue() } }
  }

  private func trimDue() {
    let old = due.withLock { due in
      defer { due = [] }
      return due
    }
    for first in stride(from: 0, to: old.count, by: Self.step) {
      let some = Array(old[first..<min(first + Self.step, old.count)])
      let result = line.result { [options] (connection) throws(PostgreSQLError) in
        try Trimming.trim(
          some,
          entries: options.historyLimit,
          bytes: options.historyBytes,
          in: connection
        )
      }
      if case .failure = result { holdings.trimFailed(of: some.map(\.session)) }
    }
  }
}
