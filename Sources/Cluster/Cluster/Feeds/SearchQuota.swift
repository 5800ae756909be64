import Synchronization

/// A limit on simultaneous searches for sessions, in order.
///
/// When a node dies, the store is asked for thousands of its sessions. Requests for other sessions must not wait behind
/// all of them.
final class SearchQuota: Sendable {
  typealias Search = @Sendable (_ leave: @escaping @Sendable () -> Void) -> Void

  private struct State {
    var free: Int
    var waiting: ArraySlice<Search> = []
    /// Whether searches are being started: a search that ends at once must not start the next one on its own stack.
    var isStarting = false

    mutating func next() -> Search? {
      guard free > 0, let search = waiting.popFirst() else {
        isStarting = false
        // A slice keeps what was taken off its front.
        if waiting.isEmpty { waiting = [] }
        return nil
      }
      free -= 1
      return search
    }
  }

  private let state: Mutex<State>

  init(_ count: Int) {
    state = Mutex(State(free: count))
  }

  /// Runs a search when there is room for it; the search takes that room until it calls `leave`, once.
  func enter(_ search: @escaping Search) {
    state.withLock { $0.waiting.append(search) }
    startSearches()
  }

  private func startSearches() {
    let isBusy = state.withLock { state in
      defer { state.isStarting = true }
      return state.isStarting
    }
    if isBusy { return }
    while let search = state.withLock({ $0.next() }) {
      search { [self] in
        state.withLock { $0.free += 1 }
        startSearches()
      }
    }
  }
}
