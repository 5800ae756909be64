package import UIFusionKit

/// A shop made of a search, a list, a cart and a check-out (the reducing pattern).
///
/// The shop loads its products when a session starts.
package struct ShopViewModel: ReducerViewModel {
  package var state = State()
  private let search: Child<ShopViewModel, ProductSearchViewModel>
  private let list: Child<ShopViewModel, ProductListViewModel>
  private let cart: Child<ShopViewModel, CartViewModel>
  private let checkOut: Child<ShopViewModel, CheckOutViewModel>

  package init(time: any TimeSource) {
    search = Child(\.searchPart, { Action($0) }, id: "search") { ProductSearchViewModel() }
    list = Child(\.listPart, { Action($0) }, id: "list") { ProductListViewModel(time: time) }
    cart = Child(\.cartPart, { Action($0) }, id: "cart") { CartViewModel() }
    checkOut = Child(\.checkOutPart, { Action($0) }, id: "checkOut") {
      CheckOutViewModel(time: time)
    }
  }

  /// The inputs that clients send.
  package enum Input: Codable, Equatable, Sendable {
    case search(String)
    case add(productID: String)
    case setQuantity(productID: String, quantity: Int)
    case checkOut, cancelCheckOut, retry, dismiss
  }

  package func started() -> [Action] { list.started(in: state) }

  package func restored(_ interrupted: Interrupted) -> [Action] {
    list.restored(interrupted, in: state) + checkOut.restored(interrupted, in: state)
  }

  package func transform(_ input: Input) -> [Action] {
    switch input {
    case .search(let query): [.changeQuery(query), .wait]
    case .add(let id): [.add(productID: id)]
    case .setQuantity(let id, let quantity): [.setQuantity(productID: id, quantity: quantity)]
    case .checkOut, .retry: [.pay]
    case .cancelCheckOut: [.cancelPayment]
    case .dismiss: [.dismiss]
    }
  }

  package func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .changeQuery(let query): return search.reduce(&state, .change(query))
    case .wait: return list.reduce(&state, .wait(query: state.query))
    case .load: return list.reduce(&state, .load(query: state.query))
    case .loaded(let products): return list.reduce(&state, .loaded(products))
    // What is being paid for must not change.
    case .add where state.checkOut == .running, .setQuantity where state.checkOut == .running:
      return []
    case .add(let id): return cart.reduce(&state, .add(productID: id))
    case .setQuantity(let id, let quantity):
      return cart.reduce(&state, .setQuantity(productID: id, quantity: quantity))
    case .empty: return cart.reduce(&state, .empty)
    case .pay: return state.cart.isEmpty ? [] : checkOut.reduce(&state, .pay)
    case .paid: return checkOut.reduce(&state, .paid) + cart.reduce(&state, .empty)
    case .fail(let reason): return checkOut.reduce(&state, .fail(reason))
    case .cancelPayment: return checkOut.reduce(&state, .cancelPayment)
    case .dismiss: return checkOut.reduce(&state, .dismiss)
    }
  }
}
