package import UIFusionKit

extension ShopViewModel {
  /// The state that clients see: the members of all parts, side by side.
  package struct State: Codable, Equatable, Sendable {
    package var query = ""
    package var isLoading = false
    /// The products found by the last finished search.
    package var products: [Product] = []
    package var cart: [CartItem] = []
    package var total = 0
    package var checkOut = CheckOutViewModel.Payment.idle
    /// The number of the newest order.
    @Pulse package var ordered: Int?
  }
}

/// The states of the parts.
extension ShopViewModel.State {
  var searchPart: ProductSearchViewModel.State {
    get { .init(query: query) }
    set { query = newValue.query }
  }

  var listPart: ProductListViewModel.State {
    get { .init(isLoading: isLoading, products: products) }
    set { (isLoading, products) = (newValue.isLoading, newValue.products) }
  }

  var cartPart: CartViewModel.State {
    get { .init(items: cart, total: total) }
    set { (cart, total) = (newValue.items, newValue.total) }
  }

  var checkOutPart: CheckOutViewModel.State {
    get {
      var part = CheckOutViewModel.State(payment: checkOut)
      part.$ordered = $ordered
      return part
    }
    set { (checkOut, $ordered) = (newValue.payment, newValue.$ordered) }
  }
}
