import Dispatch
import Synchronization

/// Moves the write-ahead log into the database on a thread of its own, so that commits need not wait.
final class Checkpointer: @unchecked Sendable {
  // Guard: `queue`, on which alone the database is used; `run` asserts it.
  private let database: Database
  private let queue = DispatchQueue(label: "checkpoints")
  private let state: Mutex<State>
  private let longLog: Int
  private let report: @Sendable (WriterEvent) -> Void

  private struct State {
    var plan: CheckpointPlan
    /// The number of checkpoints that failed since the last success.
    var failures = 0
    var hasReportedLength = false
  }

  /// Opens a connection of its own.
  init(
    _ path: String,
    _ options: WriterOptions,
    report: @escaping @Sendable (WriterEvent) -> Void
  ) throws(DatabaseError) {
    database = try Database(path, .write, vfs: options.vfs)
    database.setCheckpointsOnClose(false)
    // A connection learns by its first read that the database has a write-ahead log.
    _ = try database.integer("PRAGMA user_version")
    state = Mutex(State(plan: CheckpointPlan(least: options.checkpointPages)))
    longLog = options.longLogPages
    self.report = report
  }

  /// Runs or starts a checkpoint if one is due after a commit, while the writer's connection is free.
  func committed(_ writer: Database) {
    let pages = writer.logPages
    let (step, isNews) = state.withLock { state in
      if pages < state.plan.pages { state.hasReportedLength = false }
      let isNews = pages >= longLog && !state.hasReportedLength
      if isNews { state.hasReportedLength = true }
      return (state.plan.committed(pages: pages), isNews)
    }
    if isNews { report(.longLog(pages: pages)) }
    switch step {
    case .none: break
    case .background: queue.async { [self] in run(database) }
    case .finish: run(writer)
    }
  }

  /// Requests a checkpoint after the next commit: free pages leave the file only then.
  func request() {
    state.withLock { $0.plan.request() }
  }

  /// Runs a checkpoint and waits for it.
  func finish() {
    queue.sync { run(database) }
  }

  func close() {
    queue.sync { database.close() }
  }

  private func run(_ database: Database) {
    #if DEBUG
      if database === self.database { dispatchPrecondition(condition: .onQueue(queue)) }
    #endif
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
