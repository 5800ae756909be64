package import UIFusionKit

/// The text by which products are found.
package struct ProductSearchViewModel: ReducerViewModel {
  package var state = State()

  /// The state of the search.
  package struct State: Equatable, Sendable {
    package var query = ""
  }

  /// The actions, which are inputs, too.
  package enum Action: Sendable { case change(String) }

  package func transform(_ input: Action) -> [Action] { [input] }

  package func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .change(let query): state.query = query
    }
    return []
  }
}
