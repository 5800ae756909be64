package import UIFusionKit

/// A search that starts when typing pauses (the reducing pattern, with a debounce).
package struct SearchViewModel: ReducerViewModel {
  package var state = State()
  private let time: any TimeSource

  package init(time: any TimeSource) {
    self.time = time
  }

  /// The state that clients see.
  package struct State: Codable, Equatable, Sendable {
    package var query = ""
    package var isSearching = false
    /// The results of the last finished search.
    package var results: [String] = []
  }

  /// The inputs that clients send.
  package enum Input: Codable, Equatable, Sendable {
    case queryChanged(String), clear
  }

  /// The actions that inputs lead to.
  package enum Action: Codable, Equatable, Sendable {
    case changeQuery(String), clear
    case search, found([String])
  }

  /// The effects; pause and search share an id, since the same events cancel both.
  private enum EffectName { case search }

  package func transform(_ input: Input) -> [Action] {
    switch input {
    // An empty query clears the results.
    case .queryChanged(let query): query.isEmpty ? [.clear] : [.changeQuery(query)]
    case .clear: [.clear]
    }
  }

  /// Repeats a search that was cut off, or restarts the pause before one.
  package func restored(_ interrupted: Interrupted) -> [Action] {
    if state.isSearching { return [.search] }
    guard interrupted.contains(EffectName.search), !state.query.isEmpty else { return [] }
    return [.changeQuery(state.query)]
  }

  package func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .changeQuery(let query):
      state.query = query
      // A running search is for an older query: the debounce replaces it.
      state.isSearching = false
      return [.debounce(id: EffectName.search, for: .milliseconds(300), .action(.search))]
    case .search:
      state.isSearching = true
      return [
        .runAction(id: EffectName.search) { [time, query = state.query] in
          try await time.sleep(for: .milliseconds(200))
          return .found((1...5).map { "\(query) 결과 \($0)" })
        }
      ]
    case .found(let results):
      state.isSearching = false
      state.results = results
    case .clear:
      state = State()
      return [.cancel(id: EffectName.search)]
    }
    return []
  }
}
