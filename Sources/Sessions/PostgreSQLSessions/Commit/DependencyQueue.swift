import FusionSessions

/// Says what may be done: what concerns one session in its order, and what concerns others beside it.
struct DependencyQueue<Work: Sendable> {
  /// Something that is to be done.
  final class Turn: @unchecked Sendable {
    // Guard: what changes in it is changed by ``DependencyQueue`` alone, which has one owner.
    let work: Work
    fileprivate let sessions: Set<SessionID>
    fileprivate var followers: [Turn] = []
    /// How many are to be done before it.
    fileprivate var predecessors = 0

    fileprivate init(_ work: Work, _ sessions: Set<SessionID>) {
      self.work = work
      self.sessions = sessions
    }
  }

  /// The newest of each session that is not done.
  private var newest: [SessionID: Turn] = [:]
  private(set) var count = 0

  /// Takes something that concerns these sessions; gives it back if it may be done now.
  mutating func add(_ work: Work, of sessions: some Sequence<SessionID>) -> Turn? {
    let turn = Turn(work, Set(sessions))
    count += 1
    for session in turn.sessions {
      // One that shares several sessions with it is before it once.
      if let before = newest.updateValue(turn, forKey: session), before.followers.last !== turn {
        before.followers.append(turn)
        turn.predecessors += 1
      }
    }
    return turn.predecessors == 0 ? turn : nil
  }

  /// Something is done; gives what may be done therefore.
  mutating func finish(_ turn: Turn) -> [Turn] {
    count -= 1
    for session in turn.sessions where newest[session] === turn { newest[session] = nil }
    for follower in turn.followers { follower.predecessors -= 1 }
    return turn.followers.filter { $0.predecessors == 0 }
  }
}
