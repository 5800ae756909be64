/// A set of ASCII bytes, stored as 128 bits.
///
/// The sets are computed constants, so that testing a byte costs a shift and no access to a lazy global.
package struct ByteSet: Sendable, Equatable {
  /// Bytes 0 to 63.
  @usableFromInline let low: UInt64
  /// Bytes 64 to 127.
  @usableFromInline let high: UInt64

  @inlinable init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  @inlinable package func contains(_ byte: UInt8) -> Bool {
    byte < 128 && (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 == 1
  }

  /// Whether all of `bytes` are in the set.
  package func containsAll(of bytes: Span<UInt8>) -> Bool {
    for index in bytes.indices where !contains(bytes[index]) { return false }
    return true
  }

  /// Whether all UTF-8 bytes of `text` are in the set.
  package func containsAll(of text: some StringProtocol) -> Bool {
    text.utf8.allSatisfy(contains)
  }
}

extension ByteSet {
  /// The characters of a token: letters, digits and ``!#$%&'*+-.^_`|~`` (RFC 9110 §5.6.2).
  @inlinable package static var token: ByteSet {
    ByteSet(low: 0x03ff_6cfa_0000_0000, high: 0x57ff_ffff_c7ff_fffe)
  }

  /// The unreserved characters of a URI: letters, digits, `-`, `.`, `_` and `~` (RFC 3986 §2.3).
  @inlinable package static var unreserved: ByteSet {
    ByteSet(low: 0x03ff_6000_0000_0000, high: 0x47ff_fffe_87ff_fffe)
  }

  /// The characters of an IPv6 address: hexadecimal digits, `:` and `.` (RFC 3986 §3.2.2).
  @inlinable package static var ipLiteral: ByteSet {
    ByteSet(low: 0x07ff_4000_0000_0000, high: 0x0000_007e_0000_007e)
  }

  /// The characters of a request's id: the unreserved ones without `~`.
  @inlinable package static var requestID: ByteSet {
    ByteSet(low: 0x03ff_6000_0000_0000, high: 0x07ff_fffe_87ff_fffe)
  }

  /// `0` to `9`.
  @inlinable package static var digits: ByteSet {
    ByteSet(low: 0x03ff_0000_0000_0000, high: 0)
  }

  /// Space and tab (RFC 9110 §5.6.3).
  @inlinable package static var blanks: ByteSet {
    ByteSet(low: 0x0000_0001_0000_0200, high: 0)
  }
}

// ASCII comparison without case, the only case folding for names in HTTP (RFC 9110 §5.1).

extension UInt8 {
  /// The byte in lower case if it is one of A to Z, otherwise the byte itself.
  @inlinable package var asciiLowercased: UInt8 {
    self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self
  }
}

/// Returns whether two texts are equal except for the case of ASCII letters.
package func equalWithoutCase(_ a: String, _ b: String) -> Bool {
  let (a, b) = (a.utf8Span.span, b.utf8Span.span)
  guard a.count == b.count else { return false }
  for index in a.indices where a[index] != b[index] {
    guard a[index].asciiLowercased == b[index].asciiLowercased else { return false }
  }
  return true
}

/// Returns whether `bytes` equal `name` in any case; `name` must be in lower case.
@inlinable package func isNamed(_ bytes: Span<UInt8>, _ name: StaticString) -> Bool {
  guard bytes.count == name.utf8CodeUnitCount else { return false }
  return name.withUTF8Buffer { name in
    for index in bytes.indices where unsafe bytes[index].asciiLowercased != name[index] {
      return false
    }
    return true
  }
}
