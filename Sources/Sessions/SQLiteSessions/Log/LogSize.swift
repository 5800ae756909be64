import FusionSessions

/// The number of bytes that the entries of the log take on the disk.
///
/// A start does not wait for the count of older entries: the writer counts them step by step, oldest first.
struct LogSize {
  private(set) var bytes = 0
  /// The position up to which entries from before the start are counted.
  private(set) var counted: Int64
  /// The newest position at the start.
  let start: Int64

  /// Leaves out the entries up to `trimmed`, which are no history.
  init(trimmed: Int64, start: Int64) {
    counted = trimmed
    self.start = start
  }

  var isComplete: Bool { counted >= start }

  /// Returns whether the entry at a position is part of the count.
  func counts(_ position: Int64) -> Bool { position <= counted || position > start }

  /// Adds bytes, or subtracts them if negative.
  mutating func add(_ bytes: Int) {
    self.bytes = max(0, self.bytes + bytes)
  }

  /// Adds the bytes of older entries up to a position.
  mutating func count(_ bytes: Int, upTo position: Int64) {
    add(bytes)
    counted = min(position, start)
  }

  /// Estimates an entry's bytes on the disk from those of its long columns: whole pages beyond half a page.
  static func onDisk(_ payload: Int) -> Int {
    let (row, page) = (payload + 64, 4_096)
    return row <= page / 2 ? row : (row + page - 1) / page * page
  }

  /// The SQL of the argument to ``onDisk(_:)``, which SQLite computes without reading the columns.
  static let payload = "length(running) + length(outcome) + length(trace)"
}

extension LogEntry {
  /// The number of bytes that the entry takes on the disk.
  var diskSize: Int {
    LogSize.onDisk(running.bytes.count + outcome.bytes.count + trace.count)
  }
}
