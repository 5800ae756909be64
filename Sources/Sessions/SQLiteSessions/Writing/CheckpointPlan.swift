/// When the write-ahead log is moved into the database, and on which thread; counts in pages.
///
/// SQLite begins the log anew with the first commit that finds all of it moved. A checkpoint beside commits
/// never gets there while they go on, since the log grows meanwhile. So what little is left after it is
/// moved between two commits, but only once the log is long.
struct CheckpointPlan {
  enum Step: Equatable {
    case none
    /// Beside the commits.
    case background
    /// Between two commits: not much is left.
    case finish
  }

  /// What a checkpoint has come to.
  struct Progress: Equatable {
    let pages: Int
    let moved: Int
  }

  /// So many are worth a checkpoint.
  let least: Int
  /// The log's pages.
  private(set) var pages = 0
  private var moved = 0
  /// A checkpoint is made when the log has as many pages.
  private var due: Int
  private var isRunning = false

  init(least: Int) {
    self.least = least
    due = least
  }

  /// A commit has been made; says what is to be done after it.
  mutating func committed(pages: Int) -> Step {
    if pages < self.pages { (moved, due) = (0, least) }
    self.pages = pages
    guard !isRunning, pages >= due else { return .none }
    isRunning = true
    // The longer it is, the more: else a slow disk would never come to the end.
    let isLittle = pages - moved <= max(least / 4, pages / 16)
    return isLong && moved > 0 && isLittle ? .finish : .background
  }

  /// The next commit is followed by a checkpoint, however short the log is.
  mutating func request() { due = 0 }

  /// A checkpoint has ended; nil where it has failed, or others were at it.
  mutating func ended(_ progress: Progress?) {
    isRunning = false
    moved = min(progress?.moved ?? moved, pages)
    let isReady = isLong && progress.map { $0.moved == $0.pages && $0.moved < pages } == true
    // A reader may hold it up, or the disk: not after each commit.
    due = isReady ? pages : max(moved + least, pages + least / 4)
  }

  private var isLong: Bool { pages >= 2 * least }
}
