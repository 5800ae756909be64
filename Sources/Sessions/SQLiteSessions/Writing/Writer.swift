import FusionSessions

/// Writes changes into the database, in groups.
///
/// Owns the folder's lock.
final class Writer: @unchecked Sendable {
  // Guard: the serial queue of ``SQLiteSessionStore``, on which all of it is called.
  let database: Database
  // After the database, so that it is let go of after that.
  private var lock: FolderLock?
  let checkpointer: Checkpointer
  let options: SQLiteSessionStore.Options
  /// Nil after a commit that failed: read again before the next one.
  var positions: LogIndex?
  /// The pass through the log for what has been left by sessions that are over.
  var sweep: Sweep?
  /// When the next pass may begin: each looks at much of the log, and sessions end all the time.
  var nextSweep = ContinuousClock.now
  /// Whether there may be something to sweep.
  var mayHaveLeftovers = true
  var logSize: LogSize
  /// What the last commit added to the log.
  var growth: (entries: Int, bytes: Int) = (0, 0)
  /// History is not dropped for its bytes before the log has as many: nothing else of it may go.
  var leastTrimmedSize = 0
  /// Whether there may be so many free pages that the file can shrink.
  var mayShrink = true
  var isShrinking = false
  /// False for a file of an older version that was too large to be changed at a start.
  var canShrink: Bool
  /// Nothing is tidied before: the disk did not take it.
  var nextTidying = ContinuousClock.now
  /// Whether it was told that old history is damaged.
  var hasToldDamage = false
  /// Whether it was told that tidying fails.
  var hasToldFailure = false
  let report: @Sendable (SQLiteSessionStore.Event) -> Void

  init(
    folder: String,
    _ options: SQLiteSessionStore.Options,
    report: @escaping @Sendable (SQLiteSessionStore.Event) -> Void
  ) throws(StoreOpenError) {
    self.options = options
    self.report = report
    lock = try FolderLock(folder, wait: options.lockWait, waits: { report(.waitsForLock) })
    if let name = options.fileSystemType(folder).flatMap({ FileSystem.remoteName(ofType: $0) }) {
      report(.remoteFileSystem(name))
    }
    let path = Schema.file(in: folder)
    try Schema.makeDatabase(in: folder)
    let database = try Schema.open(path, .write, vfs: options.vfs)
    self.database = database
    let positions = try Schema.looking(at: path) { () throws(DatabaseError) in
      let isFull = options.durability == .full
      try database.run("PRAGMA synchronous = \(isFull ? "FULL" : "NORMAL")")
      try database.run("PRAGMA cache_size = -8192")
      try database.run("PRAGMA temp_store = MEMORY")
      try database.run("PRAGMA journal_size_limit = \(16 << 20)")
      // What was deleted is overwritten where that costs no writing of its own.
      try database.run("PRAGMA secure_delete = FAST")
      if let pages = options.pageLimit { try database.run("PRAGMA max_page_count = \(pages)") }
      return try LogIndex(database)
    }
    self.positions = positions
    canShrink = try Schema.looking(at: path) { () throws(DatabaseError) in
      try Schema.canShrink(database)
    }
    checkpointer = try Schema.looking(at: path) { () throws(DatabaseError) in
      try Checkpointer(path, options, report: report)
    }
    if !canShrink { report(.keepsItsSize) }
    logSize = LogSize(trimmed: positions.trimmed, start: positions.last)
  }

  /// Ends the connection; the next start finds little to read.
  func close() {
    // Without it the next start reads more, and that is all.
    try? markHistory()
    positions = nil
    checkpointer.close()
    database.close()
    lock = nil
  }

  func current() throws(DatabaseError) -> LogIndex {
    if let positions { return positions }
    return try LogIndex(database)
  }

  func rollBack() {
    // Some errors have rolled back already; one of this leaves a transaction that cannot begin anew.
    if database.isInTransaction { try? database.run("ROLLBACK") }
  }
}
