import Synchronization

/// What one request is called: on its answer (`X-Request-Id`), in a problem (`requestId`), in the log.
///
/// A client, or a proxy in front, may choose it, so that one name follows a request through all that
/// it passes. It identifies nobody and gives no rights.
package struct RequestID: Sendable, Hashable, CustomStringConvertible {
  package static let header = "X-Request-Id"

  package let description: String

  /// Nil unless it has 1 to 128 letters, digits, `.`, `_` and `-`: nothing that would have to be
  /// escaped in a header, in JSON or in a line of the log.
  package init?(_ text: String) {
    let characters = text.utf8Span.span
    guard 1...128 ~= characters.count else { return nil }
    guard ByteSet.requestID.containsAll(of: characters) else { return nil }
    description = text
  }

  /// The request's own, where it is well-formed; else a new one.
  package init(of headers: HTTPHeaders) {
    for field in headers.fields where field.name.utf8.count == 12 && field.isNamed(Self.header) {
      self = RequestID(field.value) ?? .new()
      return
    }
    self = .new()
  }

  /// One that no other request of this process has had.
  ///
  /// Seven random characters, the process's own, then the number of the request in eight. It fits into
  /// a String without memory of its own, so that a request for which nothing is logged pays for an
  /// addition.
  package static func new() -> RequestID {
    let number = numbers.add(1, ordering: .relaxed).newValue
    return RequestID(process << 40 | UInt128(truncatingIfNeeded: number) & 0xFF_FFFF_FFFF)
  }

  /// Five bits a character, 75 in all.
  private init(_ bits: UInt128) {
    description = unsafe String(unsafeUninitializedCapacity: 15) { characters in
      for place in 0..<15 {
        let digit = UInt8(truncatingIfNeeded: bits >> UInt128((14 - place) * 5)) & 0x1F
        unsafe characters[place] =
          digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
      }
      return 15
    }
  }

  /// 35 random bits.
  private static let process = UInt128(UInt64.random(in: 0..<(1 << 35)))
  private static let numbers = Atomic<UInt64>(0)
}
