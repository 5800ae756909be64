import Synchronization

/// The id of a request: in its response (`X-Request-Id`), in a problem (`requestId`), in the log.
///
/// A client, or a proxy in front, may choose the id, so that a request has one id everywhere. An id identifies no user
/// and gives no rights.
package struct RequestID: Sendable, Hashable, CustomStringConvertible {
  package static let header = "X-Request-Id"

  package let description: String

  /// Takes 1 to 128 letters, digits, `.`, `_` and `-`, which need no escape in a header, in JSON or in a log line; nil
  /// for anything else.
  package init?(_ text: String) {
    let characters = text.utf8Span.span
    guard 1...128 ~= characters.count else { return nil }
    guard ByteSet.requestID.containsAll(of: characters) else { return nil }
    description = text
  }

  /// Takes the request's own id if it is well-formed, else a new one.
  package init(of headers: HTTPHeaders) {
    for field in headers.fields where field.name.utf8.count == 12 && field.isNamed(Self.header) {
      self = RequestID(field.value) ?? .new()
      return
    }
    self = .new()
  }

  /// Returns an id that no other request of this process has had.
  ///
  /// Seven random characters that stand for the process, then the request's number in eight. The text fits into a
  /// String without an allocation, so that a request for which nothing is logged pays for an addition.
  package static func new() -> RequestID {
    let number = numbers.add(1, ordering: .relaxed).newValue
    return RequestID(process << 40 | UInt128(truncatingIfNeeded: number) & 0xFF_FFFF_FFFF)
  }

  /// Writes 75 bits, five for each character.
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

  /// The process's 35 random bits.
  private static let process = UInt128(UInt64.random(in: 0..<(1 << 35)))
  private static let numbers = Atomic<UInt64>(0)
}
