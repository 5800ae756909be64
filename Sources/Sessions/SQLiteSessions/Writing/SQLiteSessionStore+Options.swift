extension SQLiteSessionStore {
  package struct Options: Sendable {
    /// What a committed change survives.
    package enum Durability: Sendable {
      /// The machine losing its power: each commit waits for the disk.
      case full
      /// The process; with the machine the last moments may be lost, in order and as a whole.
      case relaxed
    }

    package var durability = Durability.full
    /// How long to wait for another process that has the folder.
    package var lockWait = Duration.zero
    /// The type of the file system that a folder is on (statfs(2)), where it is known.
    package var fileSystemType: @Sendable (_ folder: String) -> Int? = { FileSystem.type(of: $0) }
    /// How many entries the log keeps beyond those that reading a session needs.
    package var historyLimit = 100_000
    /// How many bytes the log may have, unless reading sessions needs more.
    package var historyBytes = 256 << 20
    /// How many free pages the file keeps for what comes next.
    package var freePages = 1_024
    /// How many positions of the log one step of tidying looks at.
    package var tidyingStep = 1_000
    /// How long nothing is tidied after that has failed.
    package var tidyingPause = Duration.seconds(1)
    /// How long the log rests between two passes for what ended sessions have left in it.
    package var sweepPause = Duration.seconds(1)
    /// How many pages the write-ahead log has when it is moved into the database.
    package var checkpointPages = 1_000
    /// How many pages the write-ahead log has when somebody should know.
    package var longLogPages = 16_384
    /// The most pages of 4 KiB that the database may have; nil for as many as the disk holds.
    package var pageLimit: Int?
    /// The name of the VFS that SQLite reads and writes by (https://sqlite.org/vfs.html); nil for its
    /// default.
    package var vfs: String?

    package init() {}
  }
}
