package import UIFusionKit

/// A shop with a search, a cart, and a payment that may fail (the reducing pattern).
///
/// It begins to load by itself.
package struct ShopViewModel: ReducerViewModel {
  package var state = State()
  private let time: any TimeSource
  private let payments = PaymentService()

  package init(time: any TimeSource) {
    self.time = time
  }

  /// What a client may ask for.
  package enum Input: Codable, Equatable, Sendable {
    case search(String)
    case add(productID: String)
    case setQuantity(productID: String, quantity: Int)
    case checkOut, cancelCheckOut, retry, dismiss
  }

  /// What is done about it.
  package enum Action: Codable, Equatable, Sendable {
    case changeQuery(String), load, loaded([Product])
    case add(productID: String), setQuantity(productID: String, quantity: Int)
    case pay, paid, fail(String), cancelPayment, dismiss
  }

  private enum EffectName { case load, pay }

  /// The most of one product that a cart holds.
  private static let most = 99

  package func started() -> [Action] { [.load] }

  /// What was being loaded is loaded; whether a payment that was cut off was taken, nobody knows.
  package func restored(_ interrupted: Interrupted) -> [Action] {
    let isSearching = state.isLoading || interrupted.contains(EffectName.load)
    return (isSearching ? [.load] : [])
      + (state.checkOut == .running ? [.fail("Payment was interrupted")] : [])
  }

  package func transform(_ input: Input) -> [Action] {
    switch input {
    case .search(let query): [.changeQuery(query)]
    case .add(let id): [.add(productID: id)]
    case .setQuantity(let id, let quantity): [.setQuantity(productID: id, quantity: quantity)]
    case .checkOut, .retry: [.pay]
    case .cancelCheckOut: [.cancelPayment]
    case .dismiss: [.dismiss]
    }
  }

  package func handleError(_ error: SendableError) -> [Action] { [.fail(error.description)] }

  package func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .changeQuery(let query):
      state.query = query
      // What is under way is for an older query: the debounce takes its place.
      state.isLoading = false
      return [.debounce(id: EffectName.load, for: .milliseconds(300), .action(.load))]
    case .load:
      state.isLoading = true
      return [
        .runAction(id: EffectName.load) { [time, query = state.query] in
          try await time.sleep(for: .milliseconds(200))
          return .loaded(Product.all(matching: query))
        }
      ]
    case .loaded(let products):
      state.isLoading = false
      state.products = products
    case .add(let id):
      guard let product = product(id, in: state) else { break }
      state.put(min(state.quantity(of: product) + 1, Self.most), of: product)
    case .setQuantity(let id, let quantity):
      guard let product = product(id, in: state) else { break }
      state.put(min(quantity, Self.most), of: product)
    case .pay:
      guard state.checkOut != .running, !state.cart.isEmpty else { break }
      state.checkOut = .running
      return [
        .runAction(id: EffectName.pay) { [time, payments] in
          try await time.sleep(for: .seconds(1))
          try await payments.pay()
          return .paid
        }
      ]
    case .paid:
      state.checkOut = .idle
      state.cart = []
      state.total = 0
      state.ordered = (state.ordered ?? 0) + 1
    case .fail(let reason):
      state.checkOut = .failed(reason)
    case .cancelPayment:
      guard state.checkOut == .running else { break }
      state.checkOut = .idle
      return [.cancel(id: EffectName.pay)]
    case .dismiss:
      guard state.checkOut != .running else { break }
      state.checkOut = .idle
    }
    return []
  }

  /// A product that there is; none while the cart is being paid for, as that is for what was in it.
  private func product(_ id: String, in state: State) -> Product? {
    state.checkOut == .running ? nil : Product.all.first { $0.id == id }
  }
}
