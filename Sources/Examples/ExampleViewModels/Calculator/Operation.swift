extension CalculatorViewModel {
  /// What can be done with two numbers.
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

  /// How a number is shown: "42", "2.5", "3.333333333", with ten significant digits.
  ///
  /// Whole numbers show all their digits, as far as a Double is exact (2⁵³); whatever is larger, or
  /// smaller than 0.0001, shows an exponent, as Swift prints it.
  static func text(of number: Double) -> String {
    var scale = 1.0
    while abs(number) * scale < 1e9, scale < 1e300 { scale *= 10 }
    let rounded = scale > 1 ? (number * scale).rounded() / scale : number.rounded()
    // Adding 0 makes 0 of −0.
    let text = "\(rounded + 0)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
