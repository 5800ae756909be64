package import UIFusionKit

extension ShopViewModel {
  /// The state that clients see.
  package struct State: Codable, Equatable, Sendable {
    package var query = ""
    package var isLoading = false
    /// The products found by the last finished search.
    package var products: [Product] = []
    package var cart: [CartItem] = []
    package var total = 0
    package var checkOut = CheckOut.idle
    /// The number of the newest order.
    @Pulse package var ordered: Int?
  }

  /// A product in the cart with its quantity.
  package struct CartItem: Codable, Equatable, Sendable {
    package let product: Product
    package var quantity: Int
  }

  /// The state of the payment.
  package enum CheckOut: Codable, Equatable, Sendable {
    case idle, running, failed(String)
  }
}

extension ShopViewModel.State {
  /// Sets the quantity of a product in the cart; zero or less removes the product.
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

/// A product of the shop.
package struct Product: Codable, Equatable, Sendable {
  package let id: String
  package let name: String
  /// The price in cents.
  package let price: Int

  /// All products of the shop.
  static let all = [
    Product(id: "apples", name: "Apples", price: 320),
    Product(id: "bread", name: "Bread", price: 450),
    Product(id: "butter", name: "Butter", price: 380),
    Product(id: "cheese", name: "Cheese", price: 690),
    Product(id: "chocolate", name: "Chocolate", price: 270),
    Product(id: "coffee", name: "Coffee", price: 890),
    Product(id: "milk", name: "Milk", price: 180),
    Product(id: "tea", name: "Tea", price: 540),
  ]

  /// Returns the products whose name contains a text, ignoring case.
  static func all(matching query: String) -> [Product] {
    guard !query.isEmpty else { return all }
    return all.filter { $0.name.lowercased().contains(query.lowercased()) }
  }
}
