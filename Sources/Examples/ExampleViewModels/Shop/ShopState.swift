package import UIFusionKit

extension ShopViewModel {
  /// What a client sees.
  package struct State: Codable, Equatable, Sendable {
    package var query = ""
    package var isLoading = false
    /// Those whose name has the query in it, as they were found last.
    package var products: [Product] = []
    package var cart: [CartItem] = []
    package var total = 0
    package var checkOut = CheckOut.idle
    /// The number of the newest order.
    @Pulse package var ordered: Int?

    package init() {}
  }

  /// So many of a product.
  package struct CartItem: Codable, Equatable, Sendable {
    package let product: Product
    package var quantity: Int
  }

  /// How far paying for the cart is.
  package enum CheckOut: Codable, Equatable, Sendable {
    case idle, running, failed(String)
  }
}

extension ShopViewModel.State {
  /// Puts so many of a product into the cart, in the place of those that are in it; none takes it out.
  mutating func put(_ quantity: Int, of product: Product) {
    let index = cart.firstIndex { $0.product.id == product.id }
    switch (index, quantity) {
    case (let index?, ...0): cart.remove(at: index)
    case (let index?, _): cart[index].quantity = quantity
    case (nil, 1...): cart.append(ShopViewModel.CartItem(product: product, quantity: quantity))
    case (nil, _): return
    }
    total = cart.reduce(0) { $0 + $1.product.price * $1.quantity }
  }

  func quantity(of product: Product) -> Int {
    cart.first { $0.product.id == product.id }?.quantity ?? 0
  }
}
