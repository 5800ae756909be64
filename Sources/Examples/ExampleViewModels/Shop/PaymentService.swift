/// Takes payments; every third one is declined.
actor PaymentService {
  struct Declined: Error, CustomStringConvertible {
    let description = "Payment was declined"
  }

  private var asked = 0

  func pay() throws {
    asked += 1
    if asked.isMultiple(of: 3) { throw Declined() }
  }
}
