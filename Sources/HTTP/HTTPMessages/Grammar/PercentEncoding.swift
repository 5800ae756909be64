/// Percent-encoding (RFC 3986 §2.1).
package enum PercentEncoding {
  /// Appends `text` with every byte escaped that is not unreserved (RFC 3986 §2.3).
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

  /// Returns `text` with every byte escaped that is not unreserved.
  package static func encoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the decoded text; nil where an escape is broken, or the bytes hold NUL or are not UTF-8.
  package static func decoded(_ text: Substring.UTF8View) -> String? {
    guard text.contains(UInt8(ascii: "%")) else {
      return text.contains(0) ? nil : String(Substring(text))
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
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
