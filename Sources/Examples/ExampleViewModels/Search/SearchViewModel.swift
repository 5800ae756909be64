package import UIFusionKit

/// A search that begins when the typing pauses (the reducing pattern, with a debounce).
package struct SearchViewModel: ReducerViewModel {
  package var state = State()
  private let time: any TimeSource

  package init(time: any TimeSource) {
    self.time = time
  }

  /// What a client sees.
  package struct State: Codable, Equatable, Sendable {
    package var query: String
    package var isSearching: Bool
    /// Those of the search that was finished last; they stay until newer ones are there.
    package var results: [String]

    package init(query: String = "", isSearching: Bool = false, results: [String] = []) {
      self.query = query
      self.isSearching = isSearching
      self.results = results
    }
  }

  /// What a client may ask for.
  package enum Input: Codable, Equatable, Sendable {
    case queryChanged(String), clear
  }

  /// What is done about it.
  package enum Action: Codable, Equatable, Sendable {
    case changeQuery(String), clear
    case search, found([String])
  }

  /// The pause and the search are one: whatever ends the one ends the other.
  private enum EffectName { case search }

  package func transform(_ input: Input) -> [Action] {
    switch input {
    // Nothing to search for is the same as a cleared field.
    case .queryChanged(let query): query.isEmpty ? [.clear] : [.changeQuery(query)]
    case .clear: [.clear]
    }
  }

  /// A search that was under way is made at once; a pause in the typing begins anew.
  package func restored(_ interrupted: Interrupted) -> [Action] {
    if state.isSearching { return [.search] }
    guard interrupted.contains(EffectName.search), !state.query.isEmpty else { return [] }
    return [.changeQuery(state.query)]
  }

  package func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .changeQuery(let query):
      state.query = query
      // A search that is under way is for an older query: the debounce below takes its place.
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
