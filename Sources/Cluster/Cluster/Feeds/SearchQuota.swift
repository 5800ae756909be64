import Synchronization

/// A limit on simultaneous searches for sessions, in order: the store is not asked for thousands at once
/// when a node dies that had them.
final class SearchQuota: Sendable {
  typealias Search = @Sendable (_ leave: @escaping @Sendable () -> Void) -> Void

  private struct State {
    var free: Int
    var waiting: [Search] = []
    var head = 0
    /// Somebody lets them in: one that ends at once lets in nobody itself, or each would lie on the stack of
    /// the one before.
    var isOpen = false
  }

  private let state: Mutex<State>

  init(_ count: Int) {
    state = Mutex(State(free: count))
  }

  /// Runs a search once there is a place for it, which it has until it calls `leave`, once.
  func enter(_ search: @escaping Search) {
    state.withLock { $0.waiting.append(search) }
    letIn()
  }

  private func leave() {
    state.withLock { $0.free += 1 }
    letIn()
  }

  private func letIn() {
    let isOthers = state.withLock { state in
      defer { state.isOpen = true }
      return state.isOpen
    }
    if isOthers { return }
    while let search = next() { search { [self] in leave() } }
  }

  /// Nil puts an end to it.
  private func next() -> Search? {
    state.withLock { state in
      guard state.free > 0, state.head < state.waiting.count else {
        state.isOpen = false
        state.waiting.removeFirst(state.head)
        state.head = 0
        return nil
      }
      state.free -= 1
      state.head += 1
      return state.waiting[state.head - 1]
    }
  }
}
