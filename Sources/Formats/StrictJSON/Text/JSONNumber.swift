/// A number of a document as an integer type sees it, from its digits and without rounding.
enum JSONNumber<Integer: FixedWidthInteger> {
  case integer(Integer)
  case outOfRange
  case fractional

  /// Reads the digits of a number that the parser let through.
  ///
  /// Plain digits are exact to the type's own bounds. With a fraction or an exponent, `1.0` and
  /// `1e2` are integers too, but only below 2^53: RFC 8259 section 6 expects agreement no further.
  init(_ text: ArraySlice<UInt8>) {
    let isNegative = text.first == UInt8(ascii: "-")
    var value: Integer = 0
    var isTooLarge = false
    for byte in isNegative ? text.dropFirst() : text {
      guard let digit = Integer(exactly: byte &- UInt8(ascii: "0")), digit <= 9 else {
        self = Self.scaled(text, isNegative: isNegative)
        return
      }
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) =
        isNegative
        ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
      // Goes on all the same: a later exponent would make another number of it.
      isTooLarge = isTooLarge || overflow || carry
      value = sum
    }
    self = isTooLarge ? .outOfRange : .integer(value)
  }

  private static func scaled(_ text: ArraySlice<UInt8>, isNegative: Bool) -> Self {
    var decimal = Decimal(text)
    guard decimal.coefficient != 0 else { return .integer(0) }
    // The coefficient ends in no zero, so a negative power of ten leaves a fraction.
    guard decimal.exponent >= 0 else { return .fractional }
    let limit: UInt64 = 1 << 53
    while decimal.exponent > 0, decimal.coefficient < limit {
      decimal.coefficient *= 10
      decimal.exponent -= 1
    }
    guard decimal.coefficient < limit else { return .outOfRange }
    let signed = isNegative ? -Int64(decimal.coefficient) : Int64(decimal.coefficient)
    return Integer(exactly: signed).map(Self.integer) ?? .outOfRange
  }
}

/// `coefficient` times ten to the `exponent`; the coefficient ends in no zero and stops growing
/// once it is beyond anything that counts as an integer here.
private struct Decimal {
  var coefficient: UInt64 = 0
  var exponent = 0

  init(_ text: ArraySlice<UInt8>) {
    var zeros = 0
    var fractionDigits = 0
    var isFraction = false
    var index = text.startIndex
    while index < text.endIndex, text[index] | 0x20 != UInt8(ascii: "e") {
      let byte = text[index]
      index += 1
      if byte == UInt8(ascii: "-") { continue }
      if byte == UInt8(ascii: ".") {
        isFraction = true
        continue
      }
      if isFraction { fractionDigits += 1 }
      zeros += 1
      guard byte != UInt8(ascii: "0") else { continue }
      for _ in 0..<zeros where coefficient < 1 << 54 { coefficient *= 10 }
      coefficient += UInt64(byte - UInt8(ascii: "0"))
      zeros = 0
    }
    exponent = Self.exponent(text[index...].dropFirst()) - fractionDigits + zeros
  }

  private static func exponent(_ text: ArraySlice<UInt8>) -> Int {
    var magnitude = 0
    // A document is shorter than 2 GiB: past this bound no digits can make up for the exponent.
    for byte in text where byte >= UInt8(ascii: "0") && magnitude < 1 << 40 {
      magnitude = magnitude * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return text.first == UInt8(ascii: "-") ? -magnitude : magnitude
  }
}
