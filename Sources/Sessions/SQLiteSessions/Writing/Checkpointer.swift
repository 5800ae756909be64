import Dispatch
import Synchronization

/// Moves the write-ahead log into the database beside the commits, which do not wait for it.
final class Checkpointer: @unchecked Sendable {
  // Guard: `queue`, on which alone it is used.
  private let database: Database
  private let queue = DispatchQueue(label: "checkpoints")
  private let state: Mutex<State>
  private let longLog: Int
  private let report: @Sendable (SQLiteSessionStore.Event) -> Void

  private struct State {
    var plan: CheckpointPlan
    /// How many checkpoints have failed since the last one that did not.
    var failures = 0
    var hasToldLength = false
  }

  /// Needs a connection of its own.
  init(
    _ path: String,
    _ options: SQLiteSessionStore.Options,
    report: @escaping @Sendable (SQLiteSessionStore.Event) -> Void
  ) throws(DatabaseError) {
    database = try Database(path, .write, vfs: options.vfs)
    database.checkpointsOnClose(false)
    // Before it has read anything it does not know that there is a log.
    _ = try database.integer("PRAGMA user_version")
    state = Mutex(State(plan: CheckpointPlan(least: options.checkpointPages)))
    longLog = options.longLogPages
    self.report = report
  }

  /// The writer has committed, and has its connection to spare.
  func committed(_ writer: Database) {
    let pages = writer.logPages
    let (step, isNews) = state.withLock { state in
      if pages < state.plan.pages { state.hasToldLength = false }
      let isNews = pages >= longLog && !state.hasToldLength
      if isNews { state.hasToldLength = true }
      return (state.plan.committed(pages: pages), isNews)
    }
    if isNews { report(.longLog(pages: pages)) }
    switch step {
    case .none: break
    case .background: queue.async { [self] in run(database) }
    case .finish: run(writer)
    }
  }

  /// The next commit is followed by a checkpoint: the file can be shorter after it.
  func request() {
    state.withLock { $0.plan.request() }
  }

  /// Moves all that can be, and waits for it.
  func finish() {
    queue.sync { run(database) }
  }

  func close() {
    queue.sync { database.close() }
  }

  private func run(_ database: Database) {
    do throws(DatabaseError) {
      let progress = try database.checkpoint()
      state.withLock { state in
        state.failures = 0
        state.plan.ended(progress)
      }
    } catch {
      let count = state.withLock { state in
        state.failures += 1
        state.plan.ended(nil)
        return state.failures
      }
      report(.checkpointFailed("\(error.text) (SQLite \(error.code))", count: count))
    }
  }
}
