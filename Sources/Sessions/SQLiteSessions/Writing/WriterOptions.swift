package import FusionSessions
import Glibc

/// The settings of a store in a folder.
package struct WriterOptions: Sendable {
  /// The failures that a committed change survives.
  package enum Durability: Sendable {
    /// A loss of power: each commit waits for the disk.
    case full
    /// The end of the process; a loss of power may undo the last moments, in order and as a whole.
    case relaxed
  }

  package var durability = Durability.full
  /// The time to wait for another process that holds the folder's lock.
  package var lockWait = Duration.zero
  /// Returns the type of the file system that a folder is on (statfs(2)); nil if unknown.
  package var fileSystemType: @Sendable (_ folder: String) -> Int? = { FileSystem.type(of: $0) }
  /// The number of entries that the log keeps beyond those that reading a session needs.
  package var historyLimit = 100_000
  /// The time for which history is kept, from the first State on, by the newest entry's time; nil keeps
  /// ``historyLimit`` entries.
  package var historyAge: Duration?
  /// Returns the current time, from which ages count if the newest entry's time is later.
  package var now: @Sendable () -> WallTime = { WallTime(milliseconds: Int64(time(nil)) * 1_000) }
  /// The number of bytes that the log may have, unless reading sessions needs more.
  package var historyBytes = 256 << 20
  /// The number of free pages that the file keeps for what comes next.
  package var freePages = 1_024
  /// The number of positions of the log that one step of tidying looks at.
  package var tidyingStep = 1_000
  /// The pause of tidying after a failure.
  package var tidyingPause = Duration.seconds(1)
  /// The pause between two passes through the log for entries of ended sessions.
  package var sweepPause = Duration.seconds(1)
  /// The number of pages at which the write-ahead log is moved into the database.
  package var checkpointPages = 1_000
  /// The number of pages at which the write-ahead log is reported as long.
  package var longLogPages = 16_384
  /// The most pages of 4 KiB that the database may have; nil for as many as the disk holds.
  package var pageLimit: Int?
  /// The name of SQLite's VFS (https://sqlite.org/vfs.html); nil for its default one.
  package var vfs: String?

  package init() {}
}

/// A condition that the operator of a store should know of.
package enum WriterEvent: Sendable, Equatable {
  /// Another process holds the folder's lock, and the store waits for it.
  case waitsForLock
  /// The folder is on a file system of that name, whose locks and syncs may promise less.
  case remoteFileSystem(String)
  /// Some old history can be neither read nor dropped, while sessions go on; reported once.
  case damagedHistory(String)
  /// Old history, or entries of ended sessions, cannot be dropped now; reported once until that works again.
  case tidyingFailed(String)
  /// The file of an older program is too large to be changed at a start into one that shrinks.
  case keepsItsSize
  /// The write-ahead log could not be moved into the database for the count-th time in a row; nothing is lost, and
  /// the store tries again.
  case checkpointFailed(String, count: Int)
  /// The write-ahead log is long, in pages of 4 KiB; reported once until it is short again.
  case longLog(pages: Int)
}
