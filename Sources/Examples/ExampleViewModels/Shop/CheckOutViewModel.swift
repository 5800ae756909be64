package import UIFusionKit

/// The payment, which may fail.
package struct CheckOutViewModel: ReducerViewModel {
  package var state = State()
  let time: any TimeSource
  private let payments = PaymentService()

  init(time: any TimeSource) {
    self.time = time
  }

  /// The state of the payment.
  package struct State: Equatable, Sendable {
    package var payment = Payment.idle
    /// The number of the newest order.
    @Pulse package var ordered: Int?
  }

  /// The progress of the payment.
  package enum Payment: Codable, Equatable, Sendable {
    case idle, running, failed(String)
  }

  /// The actions, which are inputs, too.
  package enum Action: Sendable { case pay, paid, fail(String), cancelPayment, dismiss }

  private enum EffectName { case pay }

  /// Reports an interrupted payment as failed, since its outcome is unknown.
  package func restored(_ interrupted: Interrupted) -> [Action] {
    state.payment == .running ? [.fail("Payment was interrupted")] : []
  }

  package func transform(_ input: Action) -> [Action] { [input] }

  package func handleError(_ error: SendableError) -> [Action] { [.fail(error.description)] }

  package func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .pay:
      guard state.payment != .running else { break }
      state.payment = .running
      return [
        .runAction(id: EffectName.pay) { [time, payments] in
          try await time.sleep(for: .seconds(1))
          try await payments.pay()
          return .paid
        }
      ]
    case .paid:
      state.payment = .idle
      state.ordered = (state.ordered ?? 0) + 1
    case .fail(let reason):
      state.payment = .failed(reason)
    case .cancelPayment:
      guard state.payment == .running else { break }
      state.payment = .idle
      return [.cancel(id: EffectName.pay)]
    case .dismiss:
      guard state.payment != .running else { break }
      state.payment = .idle
    }
    return []
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
