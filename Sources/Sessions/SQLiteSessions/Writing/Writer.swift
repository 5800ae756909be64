import FusionSessions

/// The only writer to the database; holds the folder's lock.
final class Writer: @unchecked Sendable {
  // Guard: the serial queue of the store, on which all of it is called; `SQLiteSessionStore.work` asserts it.
  let database: Database
  // Declared after the database, and so released after it.
  private var lock: FolderLock?
  let checkpointer: Checkpointer
  let options: WriterOptions
  /// The index of the log; nil after a failed commit, to be read again before the next one.
  var index: LogIndex?
  /// The current pass through the log for entries of ended sessions.
  var sweep: Sweep?
  /// The earliest time of the next pass: each reads much of the log, and sessions end all the time.
  var nextSweep = ContinuousClock.now
  /// Whether ended sessions may have left entries in the log.
  var mayHaveLeftovers = true
  /// Whether alarms may be set: as long as none is, no change has a statement for them.
  var hasAlarms: Bool
  var logSize: LogSize
  /// The growth of the log by the last commit.
  var growth: (entries: Int, bytes: Int) = (0, 0)
  /// The size that the log must exceed before it is trimmed for its bytes again: now nothing more can be dropped.
  var leastTrimmedSize = 0
  /// The time at which the oldest history will be older than ``WriterOptions/historyAge``.
  var nextExpiry: Int64 = 0
  /// Whether there may be enough free pages for the file to shrink.
  var mayShrink = true
  var isShrinking = false
  /// Whether the file can shrink; false for a large one of an older program.
  var canShrink: Bool
  /// The earliest time of the next step of tidying, after one that failed.
  var nextTidying = ContinuousClock.now
  /// Whether damaged history was reported.
  var hasReportedDamage = false
  /// Whether a failure of tidying was reported.
  var hasReportedFailure = false
  let report: @Sendable (WriterEvent) -> Void

  init(
    folder: String,
    _ options: WriterOptions,
    report: @escaping @Sendable (WriterEvent) -> Void
  ) throws(StoreOpenError) {
    self.options = options
    self.report = report
    lock = try FolderLock(folder, wait: options.lockWait, waits: { report(.waitsForLock) })
    if let name = options.fileSystemType(folder).flatMap({ FileSystem.remoteName(ofType: $0) }) {
      report(.remoteFileSystem(name))
    }
    let path = Schema.file(in: folder)
    try Schema.createDatabase(in: folder)
    let database = try Schema.open(path, .write, vfs: options.vfs)
    self.database = database
    let index = try Schema.naming(path) { () throws(DatabaseError) in
      let isFull = options.durability == .full
      try database.run("PRAGMA synchronous = \(raw: isFull ? "FULL" : "NORMAL")")
      try database.run("PRAGMA cache_size = -8192")
      try database.run("PRAGMA temp_store = MEMORY")
      try database.run("PRAGMA journal_size_limit = \(raw: 16 << 20)")
      // Deleted content is overwritten wherever that costs no extra write.
      try database.run("PRAGMA secure_delete = FAST")
      if let pages = options.pageLimit { try database.run("PRAGMA max_page_count = \(raw: pages)") }
      return try LogIndex(database)
    }
    self.index = index
    canShrink = try Schema.naming(path) { () throws(DatabaseError) in
      try Schema.canShrink(database)
    }
    hasAlarms = try Schema.naming(path) { () throws(DatabaseError) in
      try database.integer("SELECT 1 FROM alarm LIMIT 1") != nil
    }
    checkpointer = try Schema.naming(path) { () throws(DatabaseError) in
      try Checkpointer(path, options, report: report)
    }
    if !canShrink { report(.keepsItsSize) }
    logSize = LogSize(trimmed: index.trimmed, start: index.last)
  }

  /// Closes the database and releases the lock.
  func close() {
    // A failure only makes the next start read more of the log.
    try? markHistory()
    index = nil
    checkpointer.close()
    database.close()
    lock = nil
  }

  /// Returns the index, and reads it from the database if a commit has failed.
  func currentIndex() throws(DatabaseError) -> LogIndex {
    if let index { return index }
    return try LogIndex(database)
  }
}

// MARK: Marks

extension Writer {
  /// Stores the position up to which all entries are history, so that the next start need not read those.
  func markHistory() throws(DatabaseError) {
    guard var index else { return }
    self.index = nil
    defer { self.index = index }
    index.historyEnd = index.firstUncovered - 1
    index.lastHistoryMark = index.last
    try mark("history_end", index.historyEnd)
  }

  func mark(_ name: String, _ value: Int64) throws(DatabaseError) {
    try database.run("INSERT OR REPLACE INTO mark (name, value) VALUES (\(name), \(value))")
  }
}

extension Writer {
  /// The number of sessions that one step of ``interrupted(after:)`` looks at, while commits wait.
  private static let interruptedStep = 64

  func inventory() throws(DatabaseError) -> StoreInventory {
    let uncovered = try currentIndex().uncovered
    var inventory = try SessionRows.inventory(in: database)
    inventory.secret = try Schema.secret(in: database)
    for place in inventory.sessions.indices {
      guard let entries = uncovered[inventory.sessions[place].id] else { continue }
      let time = WallTime(milliseconds: entries.time)
      inventory.sessions[place].used = max(inventory.sessions[place].used, time)
    }
    return inventory
  }

  func load(_ id: SessionID) throws(DatabaseError) -> StoredSession? {
    let index = try currentIndex()
    self.index = index
    return try SessionRows.read(id, in: database) { (_, _) throws(DatabaseError) in
      var entries: [LogEntry] = []
      for position in index.uncovered[id]?.positions ?? [] {
        entries.append(try EntryRows.read(at: position, in: database))
      }
      return entries
    }
  }

  func alarms(
    dueBy time: WallTime,
    after last: DueAlarms.Item?
  ) throws(DatabaseError) -> DueAlarms {
    guard hasAlarms else { return DueAlarms() }
    return try AlarmRows.due(by: time, after: last, in: database)
  }

  /// Finds the interrupted ones among the next sessions after a number; there may be none.
  func interrupted(after number: Int64) throws(DatabaseError) -> InterruptedSessions {
    let index = try currentIndex()
    self.index = index
    var found = InterruptedSessions()
    var count = 0
    let rows = try database.rows(
      """
      SELECT number, id, view_model, length(running) > 0
      FROM session CROSS JOIN head ON head.session = number WHERE number > \(number)
      ORDER BY number LIMIT \(Self.interruptedStep)
      """
    )
    while let row = try rows.next() {
      count += 1
      if count == Self.interruptedStep { found.next = row.integer(0) }
      let id = try row.id(1)
      let newest = index.uncovered[id]?.positions.last
      guard try newest.map(wasRunning) ?? (row.int(3) != 0) else { continue }
      found.sessions.append(InterruptedSessions.Item(id, viewModel: row.text(2)))
    }
    return found
  }

  /// Returns whether the entry at a position names something that was running.
  private func wasRunning(at position: Int64) throws(DatabaseError) -> Bool {
    try database.integer("SELECT length(running) > 0 FROM log WHERE position = \(position)")
      == 1
  }
}
