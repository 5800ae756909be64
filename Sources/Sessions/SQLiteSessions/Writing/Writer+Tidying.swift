import FusionSessions

/// A pass through the log that deletes the entries of ended sessions.
struct Sweep {
  /// The numbers of the sessions that have no entries left after the pass.
  let sessions: [Int64]
  /// The position up to which the pass has come.
  var position: Int64
  let last: Int64
}

/// The result of a step of tidying.
enum Tidying {
  case more
  /// The next step has to wait for some time.
  case later
  case done
}

extension Writer {
  /// Takes one step of deferred work, in a transaction of its own.
  func tidy() -> Tidying {
    guard ContinuousClock.now >= nextTidying else { return .later }
    do throws(DatabaseError) {
      let tidying = try nextStep()
      checkpointer.committed(database)
      if tidying == .more { hasReportedFailure = false }
      return tidying
    } catch {
      nextTidying = .now + options.tidyingPause
      if !hasReportedFailure { report(.tidyingFailed("\(error.text) (SQLite \(error.code))")) }
      hasReportedFailure = true
      return .later
    }
  }

  private func nextStep() throws(DatabaseError) -> Tidying {
    if try trim() { return .more }
    if try countHistory() { return .more }
    let sweeping = try sweepOn()
    if sweeping == .more { return .more }
    return try shrink() ? .more : sweeping
  }

  /// Takes a step through a part of the log; returns false if that part cannot be read and is to be skipped for good.
  func skippingDamage(_ step: () throws(DatabaseError) -> Void) throws(DatabaseError) -> Bool {
    do throws(DatabaseError) {
      try step()
      return true
    } catch {
      guard error.isContained else { throw error }
      if !hasReportedDamage { report(.damagedHistory("\(error.text) (SQLite \(error.code))")) }
      hasReportedDamage = true
      return false
    }
  }

  /// Takes one step of the pass that deletes the entries of ended sessions.
  private func sweepOn() throws(DatabaseError) -> Tidying {
    guard mayHaveLeftovers else { return .done }
    if sweep == nil, ContinuousClock.now < nextSweep { return .later }
    var sweep = try currentSweep()
    guard sweep.position < sweep.last else {
      self.sweep = nil
      try finish(sweep)
      return .more
    }
    let passed = try skippingDamage { () throws(DatabaseError) in sweep.position = try step(sweep) }
    if !passed { sweep.position = min(sweep.position + Self.damagedStep, sweep.last) }
    self.sweep = sweep
    return .more
  }

  /// Deletes entries of ended sessions in the next part of the log; returns the last position of that part.
  private func step(_ sweep: Sweep) throws(DatabaseError) -> Int64 {
    let bound = try database.integer(
      """
      SELECT max(position) FROM (
        SELECT position FROM log WHERE position > \(sweep.position) AND position <= \(sweep.last)
        ORDER BY position LIMIT \(options.tidyingStep))
      """
    )
    guard let bound else { return sweep.last }
    let size = try size(
      in: sweep.position,
      bound,
      where: "session IN (SELECT session FROM leftover)"
    )
    try database.run(
      """
      DELETE FROM log WHERE position > \(sweep.position) AND position <= \(bound)
      AND session IN (SELECT session FROM leftover)
      """
    )
    logSize.add(-size)
    mayShrink = true
    return bound
  }

  private func currentSweep() throws(DatabaseError) -> Sweep {
    if let sweep { return sweep }
    var sessions: [Int64] = []
    var (first, last) = (Int64.max, Int64.min)
    let rows = try database.rows("SELECT session, first, last FROM leftover")
    while let row = try rows.next() {
      sessions.append(row.integer(0))
      first = min(first, row.integer(1))
      last = max(last, row.integer(2))
    }
    return Sweep(sessions: sessions, position: first, last: last)
  }

  private func finish(_ sweep: Sweep) throws(DatabaseError) {
    if !sweep.sessions.isEmpty {
      try database.transaction { () throws(DatabaseError) in
        for session in sweep.sessions {
          try database.run("DELETE FROM leftover WHERE session = \(session)")
        }
      }
      nextSweep = .now + options.sweepPause
    }
    mayHaveLeftovers = try database.integer("SELECT 1 FROM leftover LIMIT 1") != nil
  }

  // MARK: Shrinking

  /// Returns some free pages to the file system if there are many; returns whether it did.
  ///
  /// SQLite moves pages from the end of the file into free ones and cuts the end off. A step is at most 1 MiB, since
  /// commits wait for it. The file itself is shorter after the next checkpoint.
  private func shrink() throws(DatabaseError) -> Bool {
    guard mayShrink, canShrink else { return false }
    let free = try database.integer("PRAGMA freelist_count") ?? 0
    // The next commits need some free pages.
    guard free > Int64(isShrinking ? options.freePages : 2 * options.freePages) else {
      if isShrinking { checkpointer.request() }
      (mayShrink, isShrinking) = (false, false)
      return false
    }
    isShrinking = true
    let passed = try skippingDamage { () throws(DatabaseError) in
      try database.run("PRAGMA incremental_vacuum(256)")
    }
    if !passed { canShrink = false }
    return passed
  }
}
