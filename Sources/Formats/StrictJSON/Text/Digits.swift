/// A decimal number as it is written, whatever its size: its digits and where the point is.
struct Digits: Equatable {
  let isNegative: Bool
  /// Without zeros at either end; none for zero itself.
  let digits: [UInt8]
  /// The number is `digits`, read as an integer, times ten to this power; limited to what any text
  /// can make up for.
  let exponent: Int

  /// Reads a number by RFC 8259 section 6; nil where the text is none.
  init?(_ text: some Sequence<UInt8>) {
    var rest = Array(text)[...]
    isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest.removeFirst() }
    let whole = rest.digits()
    guard !whole.isEmpty, whole.count == 1 || whole.first != 0 else { return nil }
    var fraction: [UInt8] = []
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = rest.digits()
      guard !fraction.isEmpty else { return nil }
    }
    var power = 0
    if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      let isBelow = rest.first == UInt8(ascii: "-")
      if isBelow || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
      let digits = rest.digits()
      guard !digits.isEmpty else { return nil }
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

  /// The integer nearest to the number times ten to a power, the half away from zero; nil beyond
  /// what an `Int128` holds.
  func integer(scaledBy power: Int) -> Int128? {
    let places = exponent + power
    var value: Int128 = 0
    // What stands behind these is less than a half.
    for digit in digits.prefix(max(0, digits.count + min(places, 0))) {
      guard let next = value.appending(digit, isNegative: isNegative) else { return nil }
      value = next
    }
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

extension Int128 {
  fileprivate func appending(_ digit: UInt8, isNegative: Bool) -> Int128? {
    let (tens, overflow) = multipliedReportingOverflow(by: 10)
    let (sum, carry) = tens.addingReportingOverflow(isNegative ? -Int128(digit) : Int128(digit))
    return overflow || carry ? nil : sum
  }
}

extension ArraySlice<UInt8> {
  /// Takes the digits at the beginning, as the numbers that they stand for.
  fileprivate mutating func digits() -> [UInt8] {
    var digits: [UInt8] = []
    while let first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= first {
      digits.append(first - UInt8(ascii: "0"))
      removeFirst()
    }
    return digits
  }
}
