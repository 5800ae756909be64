extension CalculatorViewModel {
  /// The state that clients see, and the calculator's memory.
  package struct State: Codable, Equatable, Sendable {
    /// The number on the display, which is also the next operand.
    package var display = "0"
    package var activeAlert: String?
    package var isAutoClearTimerActive = false

    // Internal: in State, because `reduce` sees nothing else, but not coded, so neither sent nor stored.
    // A restored calculator shows its number, forgets the operation, and starts a new number.
    var pending: Pending?
    var isTyping = false

    private enum CodingKeys: CodingKey {
      case display, activeAlert, isAutoClearTimerActive
    }
  }

  /// An operation that waits for its right operand.
  struct Pending: Equatable, Sendable {
    var left: Double
    var operation: Operation
  }

  /// The inputs that clients send.
  package enum Input: Codable, Equatable, Sendable {
    case digit(Int), operation(Operation), equals, clear, dismissAlert
  }

  /// The actions that inputs lead to.
  package enum Action: Codable, Equatable, Sendable {
    case enter(Int), choose(Operation), calculate, clear, dismissAlert
    /// Starts, restarts or stops the timer that clears, depending on State.
    case updateTimer
  }
}

extension CalculatorViewModel {
  /// The operations on two numbers.
  package enum Operation: String, Codable, Sendable {
    case add, subtract, multiply, divide

    func result(of left: Double, _ right: Double) throws(CalculationError) -> Double {
      let result =
        switch self {
        case .add: left + right
        case .subtract: left - right
        case .multiply: left * right
        case .divide: left / right
        }
      if self == .divide, right == 0 { throw .divisionByZero }
      guard result.isFinite else { throw .tooLarge }
      return result
    }
  }

  enum CalculationError: String, Error {
    case divisionByZero = "0으로 나눌 수 없습니다"
    case tooLarge = "결과가 너무 큽니다"
  }

  /// Returns a number's text with ten significant digits: "42", "2.5", "3.333333333".
  ///
  /// Whole numbers show all digits up to 2⁵³, where a Double stops being exact. Larger numbers, and those
  /// below 0.0001, show an exponent as Swift prints it.
  static func text(of number: Double) -> String {
    var scale = 1.0
    while abs(number) * scale < 1e9, scale < 1e300 { scale *= 10 }
    let rounded = scale > 1 ? (number * scale).rounded() / scale : number.rounded()
    // Adding 0 turns −0 into 0.
    let text = "\(rounded + 0)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
