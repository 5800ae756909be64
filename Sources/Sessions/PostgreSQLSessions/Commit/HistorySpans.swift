import FusionSessions

/// Which of a session's history is dropped next, and when.
///
/// History goes in spans: one is dropped when what came after it has become as much as the limit. So dropping
/// reads nothing that stays; between the limit and twice as much is kept.
struct HistorySpans {
  /// Entries, and their bytes.
  struct Size {
    var entries = 0
    var bytes = 0

    fileprivate func reaches(_ limit: Size) -> Bool {
      entries >= limit.entries || bytes >= limit.bytes
    }
  }

  /// The last entry that is dropped; nil where nobody has looked since the session was acquired.
  private var dropped: Int?
  /// The last entry of what is to be dropped next.
  private var next: Int
  private var growth = Size()

  /// Of a session that begins, or of one that is acquired.
  init(after sequence: Int?) {
    (dropped, next) = (sequence, sequence ?? 0)
  }

  /// Says what is to be dropped now that this is stored: what a stored State does not need.
  mutating func grow(by append: StoreChange.Append, limit: Size) -> Old? {
    growth.entries += append.entries.count
    growth.bytes += append.entries.reduce(0) { $0 + $1.size }
    guard let head = append.head, dropped == nil || growth.reaches(limit) else { return nil }
    let old = dropped.map { Old.span(after: $0, through: next) } ?? .beyondLimit
    dropped = dropped == nil ? .min : next
    next = head.sequence
    growth = Size()
    return old
  }

  /// What was to be dropped was not.
  mutating func failed() { dropped = nil }
}

extension HistorySpans {
  enum Old {
    case span(after: Int, through: Int)
    /// The oldest of what exceeds the limit.
    case beyondLimit
  }
}
