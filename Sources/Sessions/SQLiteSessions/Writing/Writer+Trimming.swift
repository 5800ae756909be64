import FusionSessions

extension Writer {
  /// The number of positions of the log that are skipped if one of them cannot be read.
  static let damagedStep: Int64 = 64
  /// The number of bytes that one step may drop in any case, while commits wait.
  private static let stepBytes = 4 << 20
  /// The SQL condition of an entry that its session's head does not cover.
  private static let isUncovered = """
    EXISTS (SELECT 1 FROM head WHERE head.session = log.session AND head.sequence < log.sequence)
    """

  /// Whether history must be dropped as fast as the log grows.
  var hasTooMuchHistory: Bool {
    guard let index else { return false }
    return hasTooManyEntries(index)
      || logSize.bytes > max(options.historyBytes, leastTrimmedSize)
        && index.trimmed < index.last
  }

  private func hasTooManyEntries(_ index: LogIndex) -> Bool {
    guard options.historyAge == nil else {
      return present(index) >= nextExpiry && index.trimmed < index.last
    }
    return index.last - index.trimmed > Int64(options.historyLimit)
  }

  /// Returns the time from which ages count: one entry from the future must not make all others old.
  private func present(_ index: LogIndex) -> Int64 {
    min(index.newestTime, options.now().milliseconds)
  }

  /// Drops some of the oldest history if there is too much of it; returns whether it did.
  ///
  /// Commits wait for it, so a step drops at most twice what the last commit added, or ``stepBytes``.
  func trim() throws(DatabaseError) -> Bool {
    guard let index else { return false }
    // Only now and then: the mark is computed from all sessions with uncovered entries.
    if index.last - index.lastHistoryMark >= 4_096 {
      try database.transaction { () throws(DatabaseError) in try markHistory() }
    }
    guard hasTooMuchHistory else { return false }
    var last = index.trimmed
    let passed = try skippingDamage { () throws(DatabaseError) in last = try dropSome(index) }
    if !passed {
      last = min(index.trimmed + Self.damagedStep, index.last)
      try database.transaction { () throws(DatabaseError) in try mark("trimmed", last) }
    }
    self.index?.trimmed = last
    if let age = options.historyAge {
      let oldest = try database.integer(
        "SELECT time FROM log WHERE position > \(last) ORDER BY position LIMIT 1"
      )
      nextExpiry = (WallTime(milliseconds: min(oldest ?? .max, present(index))) + age).milliseconds
    }
    mayShrink = true
    let isAtEnd = last == index.last && logSize.bytes > options.historyBytes
    leastTrimmedSize = isAtEnd ? logSize.bytes + Self.stepBytes : 0
    return true
  }

  /// Drops the oldest history; returns the last position that it looked at.
  private func dropSome(_ index: LogIndex) throws(DatabaseError) -> Int64 {
    let (last, size) = try excess(index)
    var kept = 0
    try database.transaction { () throws(DatabaseError) in
      try database.run(
        """
        DELETE FROM log WHERE position > \(index.trimmed) AND position <= \(last)
        AND NOT \(raw: Self.isUncovered)
        """
      )
      try mark("trimmed", last)
      kept = try self.size(in: index.trimmed, last)
    }
    logSize.add(kept - size)
    return last
  }

  /// Returns the last position of the next step, and the counted bytes of the entries up to there.
  private func excess(_ index: LogIndex) throws(DatabaseError) -> (Int64, Int) {
    let tooMany =
      options.historyAge == nil ? index.last - index.trimmed - Int64(options.historyLimit) : 0
    let outdated = options.historyAge.map {
      (WallTime(milliseconds: present(index)) - $0).milliseconds
    }
    let tooLarge = logSize.bytes - max(options.historyBytes, leastTrimmedSize)
    // A little more than it has to, to run less often.
    let some = Int64(min(256, options.historyLimit / 8))
    let target = tooMany > 0 ? index.trimmed + tooMany + some : index.trimmed
    let size = tooLarge > 0 ? tooLarge + min(Self.stepBytes, options.historyBytes / 16) : 0
    let most = max(2 * growth.entries, options.tidyingStep)
    var (last, counted, seen, count) = (index.trimmed, 0, 0, 0)
    let rows = try database.rows(
      """
      SELECT position, \(raw: LogSize.payload), time FROM log
      WHERE position > \(index.trimmed) ORDER BY position LIMIT \(most)
      """
    )
    while let row = try rows.next() {
      let isOutdated = outdated.map { row.integer(2) <= $0 } ?? false
      let isTooMuch = row.integer(0) <= target || counted < size || isOutdated
      guard isTooMuch, seen < max(Self.stepBytes, 2 * growth.bytes) else { return (last, counted) }
      last = row.integer(0)
      let bytes = LogSize.onDisk(row.int(1))
      seen += bytes
      if logSize.counts(last) { counted += bytes }
      count += 1
    }
    // Fewer rows than asked for: the log has none beyond the last one.
    return (count < most ? max(last, min(target, index.last)) : last, counted)
  }

  /// Counts the bytes of some entries from before the start; returns whether there were any left to count.
  func countHistory() throws(DatabaseError) -> Bool {
    guard !logSize.isComplete else { return false }
    let (first, most) = (logSize.counted, options.tidyingStep)
    let passed = try skippingDamage { () throws(DatabaseError) in
      let rows = try database.rows(
        """
        SELECT position, \(raw: LogSize.payload) FROM log
        WHERE position > \(first) ORDER BY position LIMIT \(most)
        """
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

  /// Returns the counted bytes of the entries after a position, up to another one.
  func size(
    in first: Int64,
    _ last: Int64,
    where condition: String = "TRUE"
  ) throws(DatabaseError) -> Int {
    let rows = try database.rows(
      """
      SELECT position, \(raw: LogSize.payload) FROM log
      WHERE position > \(first) AND position <= \(last) AND \(raw: condition)
      """
    )
    var bytes = 0
    while let row = try rows.next() {
      if logSize.counts(row.integer(0)) { bytes += LogSize.onDisk(row.int(1)) }
    }
    return bytes
  }
}
