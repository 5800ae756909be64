#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A number as a string, since a number would lose digits in the hands of JavaScript.
extension Decimal: WireValue {
  static var expected: String { "a decimal number as a string, such as \"12.50\"" }

  /// An object with `exponent`, `mantissa` and more.
  static var storedKind: JSONNode.Kind? { .object }

  /// Reads the grammar of RFC 8259 section 6, and refuses a number whose digits do not all fit.
  static func read(_ decoder: NodeDecoder) throws -> Decimal? {
    guard decoder.node.kind == .string else { return nil }
    let text = decoder.document.text(of: decoder.index)
    guard let digits = Digits(text.utf8) else { return nil }
    // A number that is too small to be told from zero is given as one.
    guard let value = Decimal(string: text), Digits(value.description.utf8)?.isSame(digits) == true
    else { throw DecodingFault(decoder, .outOfRange("Decimal")) }
    return value
  }

  func write(to place: PlaceEncoder) throws {
    guard !isNaN else {
      throw EncodingError.invalid(self, "JSON has numbers only", at: place.codingPath)
    }
    try place.encode(description)
  }
}

extension Digits {
  /// Whether both are one number; zero has no sign.
  fileprivate func isSame(_ other: Digits) -> Bool {
    self == other || digits.isEmpty && other.digits.isEmpty
  }
}

/// Seconds as a number, with all digits that there are, down to attoseconds.
extension Duration: WireValue {
  static var expected: String { "seconds as a number" }

  /// The high and the low half of the attoseconds.
  static var storedKind: JSONNode.Kind? { .array }

  private static var digitsOfSecond: Int { 18 }

  /// Reads any number, rounded to attoseconds.
  static func read(_ decoder: NodeDecoder) throws -> Duration? {
    guard decoder.node.kind == .number,
      let digits = Digits(decoder.document.bytes[decoder.node.textRange])
    else { return nil }
    guard let attoseconds = digits.integer(scaledBy: digitsOfSecond) else {
      throw DecodingFault(decoder, .outOfRange("Duration"))
    }
    return Duration(attoseconds: attoseconds)
  }

  func write(to place: PlaceEncoder) throws {
    try place.number { bytes in
      let scale: UInt128 = 1_000_000_000_000_000_000
      let (seconds, fraction) = attoseconds.magnitude.quotientAndRemainder(dividingBy: scale)
      if attoseconds < 0 { bytes.append(UInt8(ascii: "-")) }
      bytes.appendInteger(seconds)
      guard fraction > 0 else { return }
      // Its leading zeros come from the scale, which takes the place of the point.
      let point = bytes.count
      bytes.appendInteger(scale + fraction)
      bytes[point] = UInt8(ascii: ".")
      while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
    }
  }
}
