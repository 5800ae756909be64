/// Bytes written as hexadecimal digits, and digits read.
package enum Hexadecimal {
  package static let lowercaseDigits = Array("0123456789abcdef".utf8)
  package static let uppercaseDigits = Array("0123456789ABCDEF".utf8)

  /// Returns two lower-case digits for each byte.
  package static func text(of bytes: some Collection<UInt8>) -> String {
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * bytes.count)
    for byte in bytes {
      digits.append(lowercaseDigits[Int(byte >> 4)])
      digits.append(lowercaseDigits[Int(byte & 15)])
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Returns the value of a digit in either case; nil where it is none.
  package static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
