import FusionSessions

/// The schedule by which a session's history is dropped, in spans.
///
/// A span is dropped once the entries after it have reached the limit, so dropping reads nothing that stays, and the
/// history that is kept is between the limit and twice the limit.
struct HistorySpans {
  struct Size {
    var entries = 0
    var bytes = 0
    /// The age of entries, as a limit in place of their number.
    var age: Duration?

    fileprivate func reaches(_ limit: Size) -> Bool {
      bytes >= limit.bytes || limit.age == nil && entries >= limit.entries
    }
  }

  /// The last entry that was dropped; nil if unknown since the session was acquired.
  private var dropped: Int?
  /// The last entry of the span to be dropped next.
  private var next: Int
  private var growth = Size()
  /// The time of the newest entry; nil if unknown since the session was acquired.
  private var newest: WallTime?

  /// Begins after the newest entry of a created session, or with nil for an acquired one.
  init(after sequence: Int?) {
    // The State of a session's creation may be an entry, too.
    (dropped, next) = (sequence.map { $0 - 1 }, sequence ?? 0)
  }

  /// Counts a stored append; returns the history that is to be dropped now.
  mutating func grow(by append: StoreChange.Append, limit: Size) -> TrimStatements.Part? {
    growth.entries += append.entries.count
    growth.bytes += append.entries.reduce(0) { $0 + $1.size }
    newest = append.entries.last?.time ?? newest
    // Entries are history only once a head covers them.
    guard let head = append.head else { return nil }
    let outdated = limit.age.flatMap { age in newest.map { $0 - age } }
    guard dropped == nil || growth.reaches(limit) else { return outdated.map { .outdated($0) } }
    let old =
      dropped.map { TrimStatements.Part.span(after: $0, through: next) } ?? .beyondLimit(outdated)
    dropped = dropped == nil ? .min : next
    next = head.sequence
    growth = Size()
    return old
  }

  /// Notes that dropping failed.
  mutating func failed() { dropped = nil }
}
