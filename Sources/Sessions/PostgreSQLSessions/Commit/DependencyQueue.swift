import FusionSessions

/// The order of work: items that share a session run one after another, all others beside each other.
struct DependencyQueue<Work: Sendable> {
  final class Item: @unchecked Sendable {
    // Guard: the owner of the `DependencyQueue`, which alone changes the variables.
    let work: Work
    fileprivate let sessions: Set<SessionID>
    fileprivate var followers: [Item] = []
    /// The number of items that must finish before this one starts.
    fileprivate var predecessors = 0

    fileprivate init(_ work: Work, _ sessions: Set<SessionID>) {
      self.work = work
      self.sessions = sessions
    }
  }

  /// The newest unfinished item of each session.
  private var newest: [SessionID: Item] = [:]
  private(set) var count = 0

  /// Adds work on some sessions; returns its item if it may start now.
  mutating func add(_ work: Work, of sessions: some Sequence<SessionID>) -> Item? {
    let item = Item(work, Set(sessions))
    count += 1
    for session in item.sessions {
      // A predecessor that shares several sessions with the item counts once.
      if let before = newest.updateValue(item, forKey: session), before.followers.last !== item {
        before.followers.append(item)
        item.predecessors += 1
      }
    }
    return item.predecessors == 0 ? item : nil
  }

  /// Removes a finished item; returns the items that may start now.
  mutating func finish(_ item: Item) -> [Item] {
    count -= 1
    for session in item.sessions where newest[session] === item { newest[session] = nil }
    for follower in item.followers { follower.predecessors -= 1 }
    return item.followers.filter { $0.predecessors == 0 }
  }
}
