/// A point of a session's history.
package enum HistoryPoint: Sendable, Equatable {
  case newest
  case version(Int)
  case time(WallTime)

  /// Whether an entry is at or before the point.
  package func covers(_ entry: LogEntry) -> Bool {
    switch self {
    case .newest: true
    case .version(let version): entry.version <= version
    case .time(let time): entry.time <= time
    }
  }
}
