/// Percent-encoding (RFC 3986 §2.1).
package enum PercentEncoding {
  /// Appends `text`, with escapes for all bytes that are not unreserved (RFC 3986 §2.3).
  package static func append(_ text: String, to bytes: inout [UInt8]) {
    for byte in text.utf8 {
      if ByteSet.unreserved.contains(byte) {
        bytes.append(byte)
      } else {
        let digits = Hexadecimal.uppercaseDigits
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
  }

  /// Returns `text` with escapes for all bytes that are not unreserved.
  package static func encoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the decoded text; nil if an escape is invalid, or the bytes contain NUL or are not UTF-8.
  ///
  /// In a form, as in a query, `+` stands for a space (URL Standard §5.1).
  package static func decoded(_ text: Substring.UTF8View, asForm isForm: Bool = false) -> String? {
    let plus = UInt8(ascii: "+")
    guard text.contains(where: { $0 == UInt8(ascii: "%") || isForm && $0 == plus }) else {
      return text.contains(0) ? nil : String(Substring(text))
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(isForm && byte == plus ? UInt8(ascii: " ") : byte)
        continue
      }
      guard let high = rest.next().flatMap(Hexadecimal.value(of:)),
        let low = rest.next().flatMap(Hexadecimal.value(of:))
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
  }
}

/// Conversion between bytes and hexadecimal digits.
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

  /// Returns the value of a digit in either case; nil for any other character.
  package static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
