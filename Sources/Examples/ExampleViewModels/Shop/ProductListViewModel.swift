package import UIFusionKit

/// The products that were found.
package struct ProductListViewModel: ReducerViewModel {
  package var state = State()
  let time: any TimeSource

  /// The state of the list.
  package struct State: Equatable, Sendable {
    package var isLoading = false
    /// The products found by the last finished search.
    package var products: [Product] = []
  }

  /// The actions, which are inputs, too.
  package enum Action: Sendable {
    case wait(query: String), load(query: String), loaded([Product])
  }

  private enum EffectName { case load }

  package func started() -> [Action] { [.load(query: "")] }

  /// Repeats a load that was cut off.
  package func restored(_ interrupted: Interrupted) -> [Action] {
    state.isLoading || interrupted.contains(EffectName.load) ? [.load(query: "")] : []
  }

  package func transform(_ input: Action) -> [Action] { [input] }

  package func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .wait(let query):
      // A running load is for an older query: the debounce replaces it.
      state.isLoading = false
      return [
        .debounce(id: EffectName.load, for: .milliseconds(300), .action(.load(query: query)))
      ]
    case .load(let query):
      state.isLoading = true
      return [
        .runAction(id: EffectName.load) { [time] in
          try await time.sleep(for: .milliseconds(200))
          return .loaded(Product.all(matching: query))
        }
      ]
    case .loaded(let products):
      state.isLoading = false
      state.products = products
    }
    return []
  }
}
