/// The schedule of checkpoints, which move the write-ahead log into the database; all counts are pages.
///
/// SQLite restarts the log with the first commit that finds all of it moved. A checkpoint beside commits never gets
/// that far, since the log grows meanwhile. So once the log is long, the small rest is moved between two commits.
struct CheckpointPlan {
  enum Step: Equatable {
    case none
    /// A checkpoint beside the commits.
    case background
    /// A checkpoint between two commits, of a small rest.
    case finish
  }

  typealias Progress = Database.CheckpointProgress

  /// The least number of pages for a checkpoint.
  let least: Int
  /// The number of pages in the log.
  private(set) var pages = 0
  private var moved = 0
  /// The number of pages at which the next checkpoint is due.
  private var due: Int
  private var isRunning = false

  init(least: Int) {
    self.least = least
    due = least
  }

  /// Notes a commit; returns the step to take after it.
  mutating func committed(pages: Int) -> Step {
    if pages < self.pages { (moved, due) = (0, least) }
    self.pages = pages
    guard !isRunning, pages >= due else { return .none }
    isRunning = true
    // A larger rest for a longer log: otherwise a slow disk would never finish.
    let isLittle = pages - moved <= max(least / 4, pages / 16)
    return isLong && moved > 0 && isLittle ? .finish : .background
  }

  /// Makes a checkpoint due after the next commit, however short the log is.
  mutating func request() { due = 0 }

  /// Notes the end of a checkpoint; `progress` is nil if it failed, or if another connection was running one.
  mutating func ended(_ progress: Progress?) {
    isRunning = false
    moved = min(progress?.moved ?? moved, pages)
    let isReady = isLong && progress.map { $0.moved == $0.pages && $0.moved < pages } == true
    // A reader or the disk may hold checkpoints up: not one after each commit.
    due = isReady ? pages : max(moved + least, pages + least / 4)
  }

  private var isLong: Bool { pages >= 2 * least }
}
