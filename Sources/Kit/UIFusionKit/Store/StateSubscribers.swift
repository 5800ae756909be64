import Synchronization

/// Who follows a store's State.
///
/// Each follower gets every State once, in order and one at a time, whichever threads they come from.
/// No lock is held while it is called.
final class Followers<State: Sendable>: Sendable {
  private struct Contents {
    var current: State?
    var followers: [Int: Follower] = [:]
    var added = 0
    var isClosed = false
  }

  private let contents = Mutex(Contents())

  /// What was published last.
  ///
  /// An engine publishes its first State while it is made.
  var current: State {
    contents.withLock { contents in
      guard let current = contents.current else {
        preconditionFailure("a store without a first State")
      }
      return current
    }
  }

  /// Adds a follower, which is called with the current State before this returns, and with nil at the
  /// end.
  func add(_ body: @escaping @Sendable (State?) -> Void) -> Int {
    let follower = Follower(body)
    let number = contents.withLock { contents in
      contents.added += 1
      if let current = contents.current { follower.queue(current) }
      if contents.isClosed {
        follower.queue(nil)
      } else {
        contents.followers[contents.added] = follower
      }
      return contents.added
    }
    follower.deliver()
    return number
  }

  func remove(_ number: Int) {
    contents.withLock { _ = $0.followers.removeValue(forKey: number) }
  }

  func publish(_ state: State) {
    tell { contents in
      contents.current = state
      return state
    }
  }

  func close() {
    tell { contents in
      contents.isClosed = true
      return nil
    }
    contents.withLock { $0.followers = [:] }
  }

  private func tell(_ change: (inout Contents) -> State?) {
    let followers = contents.withLock { contents in
      let state = change(&contents)
      let followers = Array(contents.followers.values)
      for follower in followers { follower.queue(state) }
      return followers
    }
    for follower in followers { follower.deliver() }
  }

  /// Whoever finds nobody delivering delivers all that is queued.
  private final class Follower: Sendable {
    private let waiting = Mutex<(states: [State?], isDelivering: Bool)>(([], false))
    private let body: @Sendable (State?) -> Void

    init(_ body: @escaping @Sendable (State?) -> Void) {
      self.body = body
    }

    func queue(_ state: State?) {
      waiting.withLock { $0.states.append(state) }
    }

    func deliver() {
      let isMine = waiting.withLock { waiting in
        defer { waiting.isDelivering = true }
        return !waiting.isDelivering
      }
      guard isMine else { return }
      while let state = next() { body(state) }
    }

    private func next() -> State?? {
      waiting.withLock { waiting in
        guard !waiting.states.isEmpty else {
          waiting.isDelivering = false
          return .none
        }
        return .some(waiting.states.removeFirst())
      }
    }
  }
}
