extension ShopViewModel {
  /// The actions that inputs lead to, each for one part.
  package enum Action: Codable, Equatable, Sendable {
    case changeQuery(String)
    case wait, load, loaded([Product])
    case add(productID: String), setQuantity(productID: String, quantity: Int), empty
    case pay, paid, fail(String), cancelPayment, dismiss

    /// Creates the action that carries one of the search's.
    init(_ action: ProductSearchViewModel.Action) {
      switch action {
      case .change(let query): self = .changeQuery(query)
      }
    }

    /// Creates the action that carries one of the list's.
    init(_ action: ProductListViewModel.Action) {
      switch action {
      case .wait: self = .wait
      case .load: self = .load
      case .loaded(let products): self = .loaded(products)
      }
    }

    /// Creates the action that carries one of the cart's.
    init(_ action: CartViewModel.Action) {
      switch action {
      case .add(let id): self = .add(productID: id)
      case .setQuantity(let id, let quantity):
        self = .setQuantity(productID: id, quantity: quantity)
      case .empty: self = .empty
      }
    }

    /// Creates the action that carries one of the check-out's.
    init(_ action: CheckOutViewModel.Action) {
      switch action {
      case .pay: self = .pay
      case .paid: self = .paid
      case .fail(let reason): self = .fail(reason)
      case .cancelPayment: self = .cancelPayment
      case .dismiss: self = .dismiss
      }
    }
  }
}
