// ASCII comparison without case, the only folding that HTTP's names know (RFC 9110 §5.1).

extension UInt8 {
  /// The byte itself, or its lower case where it is one of A to Z.
  @inlinable package var asciiLowercased: UInt8 {
    self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self
  }
}

/// Returns whether two texts differ in the case of ASCII letters at most.
package func equalWithoutCase(_ a: String, _ b: String) -> Bool {
  let (a, b) = (a.utf8Span.span, b.utf8Span.span)
  guard a.count == b.count else { return false }
  for index in a.indices where a[index] != b[index] {
    guard a[index].asciiLowercased == b[index].asciiLowercased else { return false }
  }
  return true
}

/// Returns whether `bytes` are `name`, in any case; `name` is given in lower case.
@inlinable package func isNamed(_ bytes: Span<UInt8>, _ name: StaticString) -> Bool {
  guard bytes.count == name.utf8CodeUnitCount else { return false }
  return name.withUTF8Buffer { name in
    for index in bytes.indices where unsafe bytes[index].asciiLowercased != name[index] {
      return false
    }
    return true
  }
}
