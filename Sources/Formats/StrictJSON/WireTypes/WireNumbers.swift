#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A decimal is written as a string, since JavaScript would drop digits of a number.
extension Decimal: DecodableWireValue, EncodableWireValue {
  static var expected: String { "a decimal number as a string, such as \"12.50\"" }

  /// An object with `exponent`, `mantissa` and more.
  static var storedKind: JSONNode.Kind? { .object }

  /// Reads a number by RFC 8259 section 6; throws if a `Decimal` cannot hold it exactly.
  static func read(_ decoder: NodeDecoder) throws -> Decimal? {
    guard decoder.node.kind == .string else { return nil }
    let text = decoder.document.text(of: decoder.index)
    guard let number = DecimalNumber(text.utf8) else { return nil }
    // Foundation turns a number that is too small into zero, and rounds a number with too many digits.
    guard let value = Decimal(string: text),
      DecimalNumber(value.description.utf8)?.isSame(number) == true
    else { throw DecodingFault(decoder, .outOfRange("Decimal")) }
    return value
  }

  func write(to place: PlaceEncoder) throws {
    guard !isNaN else {
      throw EncodingError.invalid(self, "JSON has numbers only", at: place.codingPath)
    }
    let text = description
    guard Decimal(string: text) == self else {
      throw EncodingError.invalid(self, "the decimal has too many digits", at: place.codingPath)
    }
    try place.encode(text)
  }
}

extension DecimalNumber {
  /// Returns whether both are the same number; zero has no sign.
  fileprivate func isSame(_ other: DecimalNumber) -> Bool {
    self == other || digits.isEmpty && other.digits.isEmpty
  }
}

/// A duration is written as a number of seconds, with all its digits down to attoseconds.
extension Duration: DecodableWireValue, EncodableWireValue {
  static var expected: String { "seconds as a number" }

  /// An array of the high and the low half of the attoseconds.
  static var storedKind: JSONNode.Kind? { .array }

  private static var digitsOfSecond: Int { 18 }

  /// Reads any number of seconds, rounding to attoseconds.
  static func read(_ decoder: NodeDecoder) throws -> Duration? {
    guard decoder.node.kind == .number,
      let number = DecimalNumber(decoder.document.bytes[decoder.node.textRange])
    else { return nil }
    guard let attoseconds = number.integer(scaledBy: digitsOfSecond) else {
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
      // The scale supplies the leading zeros, and its 1 is replaced by the point.
      let point = bytes.count
      bytes.appendInteger(scale + fraction)
      bytes[point] = UInt8(ascii: ".")
      while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
    }
  }
}
