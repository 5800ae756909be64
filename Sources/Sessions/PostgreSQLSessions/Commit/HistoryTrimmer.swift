import Dispatch
import FusionSessions
import Synchronization

/// Drops old history on a connection of its own, so that commits do not wait for it.
final class HistoryTrimmer: Sendable {
  /// The number of sessions whose history one statement drops.
  private static let step = 64

  private let worker: ConnectionWorker
  private let options: PostgreSQLOptions
  private let ownership: OwnershipTable
  private let due = Mutex<[TrimStatements.OldHistory]>([])

  init(_ worker: ConnectionWorker, _ options: PostgreSQLOptions, _ ownership: OwnershipTable) {
    self.worker = worker
    self.options = options
    self.ownership = ownership
  }

  func trim(_ old: [TrimStatements.OldHistory]) {
    let isFirst = due.withLock { due in
      defer { due += old }
      return due.isEmpty
    }
    if isFirst { worker.queue.async { [self] in trimDue() } }
  }

  private func trimDue() {
    let old = due.withLock { due in
      defer { due = [] }
      return due
    }
    for first in stride(from: 0, to: old.count, by: Self.step) {
      let some = Array(old[first..<min(first + Self.step, old.count)])
      let result = worker.result { [options] (connection) throws(PostgreSQLError) in
        try TrimStatements.trim(
          some,
          entries: options.historyAge == nil ? options.historyLimit : .max,
          bytes: options.historyBytes,
          in: connection
        )
      }
      if case .failure = result { ownership.trimFailed(of: some.map(\.session)) }
    }
  }
}
