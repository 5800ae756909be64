import FusionSessions

/// How many bytes the entries of the log take on the disk.
///
/// Those that were there at the start are counted step by step, oldest first, since a start does not wait
/// for that: see ``Writer/countHistory()``.
struct LogSize {
  private(set) var bytes = 0
  /// Of the entries from before the start, those up to here are counted.
  private(set) var counted: Int64
  /// The newest entry from before the start.
  let start: Int64

  /// Those up to `trimmed` are left out: they are no history.
  init(trimmed: Int64, start: Int64) {
    counted = trimmed
    self.start = start
  }

  var isComplete: Bool { counted >= start }

  func counts(_ position: Int64) -> Bool { position <= counted || position > start }

  /// `bytes` may be negative.
  mutating func add(_ bytes: Int) {
    self.bytes = max(0, self.bytes + bytes)
  }

  mutating func count(_ bytes: Int, upTo position: Int64) {
    add(bytes)
    counted = min(position, start)
  }

  /// What an entry takes whose columns of any length have so many bytes: whole pages where it is long.
  static func onDisk(_ payload: Int) -> Int {
    let (row, page) = (payload + 64, 4_096)
    return row <= page / 2 ? row : (row + page - 1) / page * page
  }

  /// What ``onDisk(_:)`` takes, as SQLite finds it without reading the columns themselves.
  static let payload = "length(running) + length(outcome) + length(trace)"
}

extension LogEntry {
  /// What it takes on the disk.
  var diskSize: Int {
    let outcome =
      switch outcome {
      case .unchanged: 0
      case .state(let bytes), .patch(let bytes): bytes.count
      }
    return LogSize.onDisk(NameList.bytes(running).count + outcome + trace.count)
  }
}
