package import UIFusionKit

/// A product in the cart with its quantity.
package struct CartItem: Codable, Equatable, Sendable {
  package let product: Product
  package var quantity: Int
}

/// The products that the user means to buy.
package struct CartViewModel: ReducerViewModel {
  package var state = State()

  /// The state of the cart.
  package struct State: Equatable, Sendable {
    package var items: [CartItem] = []
    package var total = 0
  }

  /// The actions, which are inputs, too.
  package enum Action: Sendable {
    case add(productID: String), setQuantity(productID: String, quantity: Int), empty
  }

  /// The largest quantity of one product.
  private static let maximalQuantity = 99

  package func transform(_ input: Action) -> [Action] { [input] }

  package func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .add(let id):
      let quantity = state.items.first { $0.product.id == id }?.quantity ?? 0
      put(quantity + 1, of: id, in: &state)
    case .setQuantity(let id, let quantity): put(quantity, of: id, in: &state)
    case .empty: state = State()
    }
    return []
  }

  /// Sets the quantity of a product; zero or less removes the product.
  private func put(_ quantity: Int, of id: String, in state: inout State) {
    guard let product = Product.all.first(where: { $0.id == id }) else { return }
    let quantity = min(quantity, Self.maximalQuantity)
    let index = state.items.firstIndex { $0.product.id == id }
    switch (index, quantity) {
    case (let index?, ...0): state.items.remove(at: index)
    case (let index?, _): state.items[index].quantity = quantity
    case (nil, 1...): state.items.append(CartItem(product: product, quantity: quantity))
    case (nil, _): return
    }
    state.total = state.items.reduce(0) { $0 + $1.product.price * $1.quantity }
  }
}
