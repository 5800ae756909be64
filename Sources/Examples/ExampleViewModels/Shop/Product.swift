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
