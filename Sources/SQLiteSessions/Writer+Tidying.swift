import Sessions

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
  /// Drops the oldest history where there is too much of it, in the transaction that has begun.
  ///
  /// Some at a time, and never many: the log grew by `entries`, and it shrinks faster than that.
  func trim(_ positions: inout Positions, after entries: Int) throws(DatabaseError) {
    // Not each time: it looks at every session that has a tail, and may find that nothing is new.
    if positions.last - positions.lastHistoryMark >= 4_096 { try markHistory(&positions) }
    let excess = positions.last - positions.trimmed - Int64(options.historyLimit)
    guard excess > 0 else { return }
    let some = Int64(min(256, options.historyLimit / 8))
    let most = Int64(max(2 * entries, options.tidyingStep))
    let first = positions.trimmed
    positions.trimmed += min(excess + some, most)
    try database.run(
      """
      DELETE FROM log WHERE position > ? AND position <= ? AND NOT EXISTS (
        SELECT 1 FROM head WHERE head.session = log.session AND head.sequence < log.sequence)
      """,
      .integer(first),
      .integer(positions.trimmed)
    )
    try mark("trimmed", positions.trimmed)
  }

  /// Notes up to where all is history, so that the next start need not read it.
  func markHistory(_ positions: inout Positions) throws(DatabaseError) {
    positions.historyEnd = positions.firstOpen - 1
    positions.lastHistoryMark = positions.last
    try mark("history_end", positions.historyEnd)
  }

  /// Takes one step of what can wait.
  func tidy() -> Tidying {
    guard mayHaveLeftovers else { return .done }
    do throws(DatabaseError) {
      if sweep == nil, ContinuousClock.now < nextSweep { return .later }
      var sweep = try currentSweep()
      self.sweep = nil
      guard sweep.position < sweep.last else {
        try finish(sweep)
        return .more
      }
      sweep.position = try step(sweep)
      self.sweep = sweep
      return .more
    } catch {
      // The next change that ends a session, or the next start, begins the pass anew.
      rollBack()
      mayHaveLeftovers = false
      return .done
    }
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
    try database.run(
      """
      DELETE FROM log WHERE position > ? AND position <= ?
      AND session IN (SELECT session FROM leftover)
      """,
      .integer(sweep.position),
      .integer(bound)
    )
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

  private func mark(_ name: String, _ value: Int64) throws(DatabaseError) {
    try database.run(
      "INSERT OR REPLACE INTO mark (name, value) VALUES (?, ?)",
      .text(name),
      .integer(value)
    )
  }
}
