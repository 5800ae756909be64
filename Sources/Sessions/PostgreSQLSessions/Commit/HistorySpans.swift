import FusionSessions

/// The schedule by which a session's history is dropped, in spans.
///
/// A span is dropped once the entries after it have reached the limit, so dropping reads nothing that stays, and the
/// history that is kept is between the limit and twice the limit.
struct HistorySpans {
  struct Size {
    var entries = 0
    var bytes = 0

    fileprivate func reaches(_ limit: Size) -> Bool {
      entries >= limit.entries || bytes >= limit.bytes
    }
  }

  /// The last entry that was dropped; nil if unknown since the session was acquired.
  private var dropped: Int?
  /// The last entry of the span to be dropped next.
  private var next: Int
  private var growth = Size()

  /// Begins after the newest entry of a created session, or with nil for an acquired one.
  init(after sequence: Int?) {
    (dropped, next) = (sequence, sequence ?? 0)
  }

  /// Counts a stored append; returns the history that is to be dropped now.
  mutating func grow(by append: StoreChange.Append, limit: Size) -> TrimStatements.Part? {
    growth.entries += append.entries.count
    growth.bytes += append.entries.reduce(0) { $0 + $1.size }
    // Entries are history only once a head covers them.
    guard let head = append.head, dropped == nil || growth.reaches(limit) else { return nil }
    let old = dropped.map { TrimStatements.Part.span(after: $0, through: next) } ?? .beyondLimit
    dropped = dropped == nil ? .min : next
    next = head.sequence
    growth = Size()
    return old
  }

  /// Notes that dropping failed.
  mutating func failed() { dropped = nil }
}
