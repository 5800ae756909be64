/// A session's id, which is the capability for it: 128 random bits, whose holder may use the session.
///
/// Written as 22 characters of base64url (RFC 4648 §5) without padding.
package struct SessionID: Hashable, Comparable, Sendable, LosslessStringConvertible {
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  package static func random(using generator: inout some RandomNumberGenerator) -> SessionID {
    SessionID(high: generator.next(), low: generator.next())
  }

  /// Parses the one spelling of an id; nil for anything else.
  package init?(_ description: String) { self.init(description, mark: 0) }

  /// Parses 128 bits that are followed by a mark of four bits.
  init?(_ description: String, mark: UInt64) {
    let characters = description.utf8Span.span
    guard characters.count == 22 else { return nil }
    var bits: UInt128 = 0
    for place in 0..<21 {
      guard let digit = value(of: characters[place]) else { return nil }
      bits = bits << 6 | UInt128(digit)
    }
    // The last character carries two bits; the other four are the mark.
    guard let last = value(of: characters[21]), last & 0xF == mark else { return nil }
    bits = bits << 2 | UInt128(last >> 4)
    self.init(high: UInt64(truncatingIfNeeded: bits >> 64), low: UInt64(truncatingIfNeeded: bits))
  }

  /// Reads the 16 bytes of an id, big-endian; nil for another number of bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    let bits = bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
    self.init(high: UInt64(truncatingIfNeeded: bits >> 64), low: UInt64(truncatingIfNeeded: bits))
  }

  package var description: String { text(mark: 0) }

  func text(mark: UInt64) -> String {
    String(unsafeUninitializedCapacity: 22) { characters in
      for place in 0..<21 {
        // Counted from the lowest of the 128 bits; a shift by more than 63 gives zero.
        let shift = 122 - place * 6
        let bits = shift < 64 ? low >> shift | high << (64 - shift) : high >> (shift - 64)
        characters[place] = alphabet[Int(bits & 0x3F)]
      }
      characters[21] = alphabet[Int((low & 3) << 4 | mark)]
      return 22
    }
  }

  package static func < (a: SessionID, b: SessionID) -> Bool {
    (a.high, a.low) < (b.high, b.low)
  }

  /// The id's first characters: enough to find it in a log, too few to use it.
  package var redacted: String { String(description.prefix(6)) + "…" }
}

private let alphabet = Array(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
)

private func value(of character: UInt8) -> UInt64? {
  switch character {
  case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt64(character - UInt8(ascii: "A"))
  case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt64(character - UInt8(ascii: "a")) + 26
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(character - UInt8(ascii: "0")) + 52
  case UInt8(ascii: "-"): 62
  case UInt8(ascii: "_"): 63
  default: nil
  }
}
