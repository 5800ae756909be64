extension Writer {
  /// Notes up to where all is history, so that the next start need not read it.
  func markHistory() throws(DatabaseError) {
    guard var positions else { return }
    self.positions = nil
    defer { self.positions = positions }
    positions.historyEnd = positions.firstOpen - 1
    positions.lastHistoryMark = positions.last
    try mark("history_end", positions.historyEnd)
  }

  func mark(_ name: String, _ value: Int64) throws(DatabaseError) {
    try database.run(
      "INSERT OR REPLACE INTO mark (name, value) VALUES (?, ?)",
      .text(name),
      .integer(value)
    )
  }

  func inTransaction(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
    try database.run("BEGIN IMMEDIATE")
    try body()
    try database.run("COMMIT")
  }
}
