package import UIFusionKit

/// A shop with a search, a cart and a payment that may fail (the reducing pattern).
///
/// The shop loads its products when a session starts.
package struct ShopViewModel: ReducerViewModel {
  package var state = State()
  private let time: any TimeSource
  private let payments = PaymentService()

  package init(time: any TimeSource) {
    self.time = time
  }

  /// The inputs that clients send.
  package enum Input: Codable, Equatable, Sendable {
    case search(String)
    case add(productID: String)
    case setQuantity(productID: String, quantity: Int)
    case checkOut, cancelCheckOut, retry, dismiss
  }

  /// The actions that inputs lead to.
  package enum Action: Codable, Equatable, Sendable {
    case changeQuery(String), load, loaded([Product])
    case add(productID: String), setQuantity(productID: String, quantity: Int)
    case pay, paid, fail(String), cancelPayment, dismiss
  }

  private enum EffectName { case load, pay }

  /// The largest quantity of one product in a cart.
  private static let maximalQuantity = 99

  package func started() -> [Action] { [.load] }

  /// Repeats a load that was cut off; reports an interrupted payment as failed, since its outcome is unknown.
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
      // A running load is for an older query: the debounce replaces it.
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
      state.put(min(state.quantity(of: product) + 1, Self.maximalQuantity), of: product)
    case .setQuantity(let id, let quantity):
      guard let product = product(id, in: state) else { break }
      state.put(min(quantity, Self.maximalQuantity), of: product)
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

  /// Returns a product by its id; nil during a payment, when the cart must not change.
  private func product(_ id: String, in state: State) -> Product? {
    state.checkOut == .running ? nil : Product.all.first { $0.id == id }
  }
}

/// A payment service that declines every third payment.
actor PaymentService {
  struct PaymentDeclined: Error, CustomStringConvertible {
    let description = "Payment was declined"
  }

  private var paymentCount = 0

  func pay() throws {
    paymentCount += 1
    if paymentCount.isMultiple(of: 3) { throw PaymentDeclined() }
  }
}
