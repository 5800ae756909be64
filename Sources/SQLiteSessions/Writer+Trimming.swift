import Sessions

extension Writer {
  /// So many positions of the log are passed over where one of them cannot be read.
  static let damagedStep: Int64 = 64

  /// Whether the log has to shrink as fast as it grows.
  var hasTooMuchHistory: Bool {
    positions.map { $0.last - $0.trimmed > Int64(options.historyLimit) } ?? false
  }

  /// Drops some of the oldest history, where there is too much of it; returns whether it did.
  ///
  /// Never many at a time, since commits wait for it: the log grew by `entries`, and it shrinks faster
  /// than that.
  func trim(after entries: Int) throws(DatabaseError) -> Bool {
    guard let positions else { return false }
    // Not each time: it looks at every session that has a tail, and may find that nothing is new.
    if positions.last - positions.lastHistoryMark >= 4_096 {
      try inTransaction { () throws(DatabaseError) in try markHistory() }
    }
    let excess = positions.last - positions.trimmed - Int64(options.historyLimit)
    guard excess > 0 else { return false }
    let some = Int64(min(256, options.historyLimit / 8))
    let most = Int64(max(2 * entries, options.tidyingStep))
    var last = positions.trimmed + min(excess + some, most)
    let passed = try passing { () throws(DatabaseError) in
      try drop(after: positions.trimmed, upTo: last)
    }
    if !passed {
      last = min(positions.trimmed + Self.damagedStep, positions.last)
      try inTransaction { () throws(DatabaseError) in try mark("trimmed", last) }
    }
    self.positions?.trimmed = last
    return true
  }

  private func drop(after first: Int64, upTo last: Int64) throws(DatabaseError) {
    try inTransaction { () throws(DatabaseError) in
      try database.run(
        """
        DELETE FROM log WHERE position > ? AND position <= ? AND NOT EXISTS (
          SELECT 1 FROM head WHERE head.session = log.session AND head.sequence < log.sequence)
        """,
        .integer(first),
        .integer(last)
      )
      try mark("trimmed", last)
    }
  }

  /// Notes up to where all is history, so that the next start need not read it.
  func markHistory() throws(DatabaseError) {
    guard var positions else { return }
    self.positions = nil
    defer { self.positions = positions }
    positions.historyEnd = positions.firstOpen - 1
    positions.lastHistoryMark = positions.last
    try mark("history_end", positions.historyEnd)
  }

  private func inTransaction(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
    try database.run("BEGIN IMMEDIATE")
    try body()
    try database.run("COMMIT")
  }

  private func mark(_ name: String, _ value: Int64) throws(DatabaseError) {
    try database.run(
      "INSERT OR REPLACE INTO mark (name, value) VALUES (?, ?)",
      .text(name),
      .integer(value)
    )
  }
}
