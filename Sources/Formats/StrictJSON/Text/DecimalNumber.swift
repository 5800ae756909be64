/// A decimal number of any size, as its digits and the position of its point.
struct DecimalNumber: Equatable {
  let isNegative: Bool
  /// The digits as numbers from 0 to 9, without zeros at either end; empty for zero.
  let digits: [UInt8]
  /// The power of ten by which to multiply `digits`, read as an integer; 0 for zero.
  let exponent: Int

  /// Reads a number by the grammar of RFC 8259 section 6; returns nil for any other text.
  init?(_ text: some Sequence<UInt8>) {
    var rest = Array(text)[...]
    isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest.removeFirst() }
    let whole = rest.popDigits()
    guard !whole.isEmpty, whole.count == 1 || whole.first != 0 else { return nil }
    var fraction: [UInt8] = []
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = rest.popDigits()
      guard !fraction.isEmpty else { return nil }
    }
    var power = 0
    if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      let isBelow = rest.first == UInt8(ascii: "-")
      if isBelow || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
      let digits = rest.popDigits()
      guard !digits.isEmpty else { return nil }
      // A document is shorter than 2 GiB: no digits can compensate for an exponent beyond this bound.
      for digit in digits where power < 1 << 40 { power = power * 10 + Int(digit) }
      if isBelow { power = -power }
    }
    guard rest.isEmpty else { return nil }
    var all = (whole + fraction)[...].drop { $0 == 0 }
    power -= fraction.count
    while all.last == 0 {
      all.removeLast()
      power += 1
    }
    digits = Array(all)
    exponent = all.isEmpty ? 0 : power
  }

  /// Returns the number times ten to a power, rounded half away from zero to an integer.
  ///
  /// - Returns: nil if the result does not fit `Int128`.
  func integer(scaledBy power: Int) -> Int128? {
    let places = exponent + power
    var value: Int128 = 0
    for digit in digits.prefix(max(0, digits.count + min(places, 0))) {
      guard let next = value.appending(digit, isNegative: isNegative) else { return nil }
      value = next
    }
    // Only the first dropped digit decides how to round.
    if places < 0, digits.indices.contains(digits.count + places),
      digits[digits.count + places] >= 5
    {
      let (sum, isTooLarge) = value.addingReportingOverflow(isNegative ? -1 : 1)
      return isTooLarge ? nil : sum
    }
    for _ in 0..<max(0, min(places, 64)) where value != 0 {
      guard let next = value.appending(0, isNegative: isNegative) else { return nil }
      value = next
    }
    return value
  }
}

/// A number's value as an integer type, read from its digits without rounding.
enum IntegerReading<Integer: FixedWidthInteger> {
  case integer(Integer)
  case outOfRange
  case fractional

  /// Reads a number that the parser has accepted.
  ///
  /// A whole number in any notation, such as `100`, `1.0e2` or `100.0`, is exact up to the type's own bounds.
  init(_ text: ArraySlice<UInt8>) {
    let isNegative = text.first == UInt8(ascii: "-")
    var value: Integer = 0
    var isTooLarge = false
    for byte in isNegative ? text.dropFirst() : text {
      guard let digit = Integer(exactly: byte &- UInt8(ascii: "0")), digit <= 9 else {
        self = Self.exponential(text)
        return
      }
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) =
        isNegative
        ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
      // No early exit: a later exponent may make the number small again.
      isTooLarge = isTooLarge || overflow || carry
      value = sum
    }
    self = isTooLarge ? .outOfRange : .integer(value)
  }

  private static func exponential(_ text: ArraySlice<UInt8>) -> Self {
    guard let number = DecimalNumber(text) else { return .outOfRange }
    guard number.exponent >= 0 else { return .fractional }
    var value: Integer = 0
    for digit in number.digits {
      guard let next = value.appending(digit, isNegative: number.isNegative) else {
        return .outOfRange
      }
      value = next
    }
    // Ends soon: the value is not zero.
    for _ in 0..<number.exponent {
      guard let next = value.appending(0, isNegative: number.isNegative) else { return .outOfRange }
      value = next
    }
    return .integer(value)
  }
}

extension FixedWidthInteger {
  fileprivate func appending(_ digit: UInt8, isNegative: Bool) -> Self? {
    let (tens, overflow) = multipliedReportingOverflow(by: 10)
    let digit = Self(digit)
    let (sum, carry) =
      isNegative ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
    return overflow || carry ? nil : sum
  }
}

extension ArraySlice<UInt8> {
  /// Removes the leading ASCII digits and returns their values.
  fileprivate mutating func popDigits() -> [UInt8] {
    var digits: [UInt8] = []
    while let first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= first {
      digits.append(first - UInt8(ascii: "0"))
      removeFirst()
    }
    return digits
  }
}
