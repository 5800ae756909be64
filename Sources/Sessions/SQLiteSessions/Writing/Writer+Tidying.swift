import FusionSessions

/// A pass through the log for what sessions that are over have left there.
struct Sweep {
  /// Those that are done with once the pass is.
  let sessions: [Int64]
  /// Up to here it has gone.
  var position: Int64
  let last: Int64
}

/// Whether there is more to tidy.
enum Tidying {
  case more
  /// Not before some time.
  case later
  case done
}

extension Writer {
  /// Takes one step of what can wait, in a transaction of its own.
  func tidy() -> Tidying {
    guard ContinuousClock.now >= nextTidying else { return .later }
    do throws(DatabaseError) {
      let tidying = try nextStep()
      checkpointer.committed(database)
      if tidying == .more { hasToldFailure = false }
      return tidying
    } catch {
      rollBack()
      // What has failed is tried again.
      nextTidying = .now + options.tidyingPause
      if !hasToldFailure { report(.tidyingFailed("\(error.text) (SQLite \(error.code))")) }
      hasToldFailure = true
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

  /// Does a step between two positions of the log; returns false where these cannot be read, and were
  /// passed over for good.
  func passing(_ step: () throws(DatabaseError) -> Void) throws(DatabaseError) -> Bool {
    do throws(DatabaseError) {
      try step()
      return true
    } catch {
      guard error.isLocal else { throw error }
      rollBack()
      if !hasToldDamage { report(.damagedHistory("\(error.text) (SQLite \(error.code))")) }
      hasToldDamage = true
      return false
    }
  }

  /// Takes one step of the pass for what ended sessions have left in the log.
  private func sweepOn() throws(DatabaseError) -> Tidying {
    guard mayHaveLeftovers else { return .done }
    if sweep == nil, ContinuousClock.now < nextSweep { return .later }
    var sweep = try currentSweep()
    guard sweep.position < sweep.last else {
      self.sweep = nil
      try finish(sweep)
      return .more
    }
    let passed = try passing { () throws(DatabaseError) in sweep.position = try step(sweep) }
    if !passed { sweep.position = min(sweep.position + Self.damagedStep, sweep.last) }
    self.sweep = sweep
    return .more
  }

  /// Goes through some of the log, and says how far.
  private func step(_ sweep: Sweep) throws(DatabaseError) -> Int64 {
    let bound = try database.integer(
      """
      SELECT max(position) FROM (
        SELECT position FROM log WHERE position > ? AND position <= ? ORDER BY position LIMIT ?)
      """,
      .integer(sweep.position),
      .integer(sweep.last),
      .integer(options.tidyingStep)
    )
    guard let bound else { return sweep.last }
    let size = try size(
      in: sweep.position,
      bound,
      where: "session IN (SELECT session FROM leftover)"
    )
    try database.run(
      """
      DELETE FROM log WHERE position > ? AND position <= ?
      AND session IN (SELECT session FROM leftover)
      """,
      .integer(sweep.position),
      .integer(bound)
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
      try database.run("BEGIN IMMEDIATE")
      for session in sweep.sessions {
        try database.run("DELETE FROM leftover WHERE session = ?", .integer(session))
      }
      try database.run("COMMIT")
      nextSweep = .now + options.sweepPause
    }
    mayHaveLeftovers = try database.integer("SELECT 1 FROM leftover LIMIT 1") != nil
  }
}
