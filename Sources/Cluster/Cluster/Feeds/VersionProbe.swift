import Synchronization

/// A look at what a node shows of a session: its stream is given up once it has begun.
final class VersionProbe: Sendable {
  private struct State {
    var upstream: (any Upstream)?
    var isOver = false
  }

  private let state = Mutex(State())

  func begin(_ upstream: any Upstream) {
    let isOver = state.withLock { state in
      if !state.isOver { state.upstream = upstream }
      return state.isOver
    }
    if isOver { upstream.cancel() }
  }

  /// False where it was over.
  func end() -> Bool {
    let (isFirst, upstream) = state.withLock { state in
      defer { state.isOver = true }
      return (!state.isOver, state.upstream.take())
    }
    upstream?.cancel()
    return isFirst
  }
}
