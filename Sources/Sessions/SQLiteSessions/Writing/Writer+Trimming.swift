import FusionSessions

extension Writer {
  /// So many positions of the log are passed over where one of them cannot be read.
  static let damagedStep: Int64 = 64
  /// The least that one step may drop, in bytes: what a commit after it waits for.
  private static let stepBytes = 4 << 20
  /// Of an entry that its session's head does not cover.
  private static let isLive = """
    EXISTS (SELECT 1 FROM head WHERE head.session = log.session AND head.sequence < log.sequence)
    """

  /// Whether the log has to shrink as fast as it grows.
  var hasTooMuchHistory: Bool {
    guard let positions else { return false }
    return positions.last - positions.trimmed > Int64(options.historyLimit)
      || logSize.bytes > max(options.historyBytes, leastTrimmedSize)
        && positions.trimmed < positions.last
  }

  /// Drops some of the oldest history, where there is too much of it; returns whether it did.
  ///
  /// Never much at a time, since commits wait for it: the log shrinks at most by twice what the last
  /// commit has added, or by ``stepBytes``.
  func trim() throws(DatabaseError) -> Bool {
    guard let positions else { return false }
    // Not each time: it looks at every session that has a tail, and may find that nothing is new.
    if positions.last - positions.lastHistoryMark >= 4_096 {
      try inTransaction { () throws(DatabaseError) in try markHistory() }
    }
    guard hasTooMuchHistory else { return false }
    var last = positions.trimmed
    let passed = try passing { () throws(DatabaseError) in last = try dropSome(positions) }
    if !passed {
      last = min(positions.trimmed + Self.damagedStep, positions.last)
      try inTransaction { () throws(DatabaseError) in try mark("trimmed", last) }
    }
    self.positions?.trimmed = last
    mayShrink = true
    let isAtEnd = last == positions.last && logSize.bytes > options.historyBytes
    leastTrimmedSize = isAtEnd ? logSize.bytes + Self.stepBytes : 0
    return true
  }

  /// Drops history from the oldest on, and says up to where.
  private func dropSome(_ positions: LogIndex) throws(DatabaseError) -> Int64 {
    let (last, size) = try excess(positions)
    var kept = 0
    try inTransaction { () throws(DatabaseError) in
      try database.run(
        "DELETE FROM log WHERE position > ? AND position <= ? AND NOT \(Self.isLive)",
        .integer(positions.trimmed),
        .integer(last)
      )
      try mark("trimmed", last)
      kept = try self.size(in: positions.trimmed, last)
    }
    logSize.add(kept - size)
    return last
  }

  /// Up to where the next step goes, and the bytes of what is there, as far as they were counted.
  private func excess(_ positions: LogIndex) throws(DatabaseError) -> (Int64, Int) {
    let tooMany = positions.last - positions.trimmed - Int64(options.historyLimit)
    let tooLarge = logSize.bytes - max(options.historyBytes, leastTrimmedSize)
    // Drops a little more than it has to, so that it runs less often.
    let some = Int64(min(256, options.historyLimit / 8))
    let target = tooMany > 0 ? positions.trimmed + tooMany + some : positions.trimmed
    let size = tooLarge > 0 ? tooLarge + min(Self.stepBytes, options.historyBytes / 16) : 0
    let most = max(2 * growth.entries, options.tidyingStep)
    var (last, counted, seen, count) = (positions.trimmed, 0, 0, 0)
    let rows = try database.rows(
      "SELECT position, \(LogSize.payload) FROM log WHERE position > ? ORDER BY position LIMIT ?",
      .integer(positions.trimmed),
      .integer(most)
    )
    while let row = try rows.next() {
      let isTooMuch = row.integer(0) <= target || counted < size
      guard isTooMuch, seen < max(Self.stepBytes, 2 * growth.bytes) else { return (last, counted) }
      last = row.integer(0)
      let bytes = LogSize.onDisk(row.int(1))
      seen += bytes
      if logSize.counts(last) { counted += bytes }
      count += 1
    }
    // Nothing is left behind the last row.
    return (count < most ? max(last, min(target, positions.last)) : last, counted)
  }

  /// Counts some of what the log had at the start; returns whether there was any.
  func countHistory() throws(DatabaseError) -> Bool {
    guard !logSize.isComplete else { return false }
    let (first, most) = (logSize.counted, options.tidyingStep)
    let passed = try passing { () throws(DatabaseError) in
      let rows = try database.rows(
        "SELECT position, \(LogSize.payload) FROM log WHERE position > ? ORDER BY position LIMIT ?",
        .integer(first),
        .integer(most)
      )
      var (last, bytes, count) = (logSize.start, 0, 0)
      while let row = try rows.next(), row.integer(0) <= logSize.start {
        bytes += LogSize.onDisk(row.int(1))
        count += 1
        if count == most { last = row.integer(0) }
      }
      logSize.count(bytes, upTo: last)
    }
    if !passed { logSize.count(0, upTo: first + Self.damagedStep) }
    return true
  }

  /// The bytes of entries after a position, up to another, as far as they were counted.
  func size(
    in first: Int64,
    _ last: Int64,
    where condition: String = "TRUE"
  ) throws(DatabaseError) -> Int {
    let rows = try database.rows(
      """
      SELECT position, \(LogSize.payload) FROM log
      WHERE position > ? AND position <= ? AND \(condition)
      """,
      .integer(first),
      .integer(last)
    )
    var bytes = 0
    while let row = try rows.next() {
      if logSize.counts(row.integer(0)) { bytes += LogSize.onDisk(row.int(1)) }
    }
    return bytes
  }
}
