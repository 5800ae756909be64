import Synchronization

/// The id of a request: in its response (`X-Request-Id`), in a problem (`requestId`), and in the log.
///
/// A client, or a proxy in front, may choose the id, so that a request has the same id everywhere. An id
/// neither identifies a user nor grants rights.
package struct RequestID: Sendable, Hashable, CustomStringConvertible {
  package static let header = "X-Request-Id"

  package let description: String

  /// Accepts 1 to 128 letters, digits, `.`, `_` and `-`, which need no escapes in a header, in JSON or in a
  /// log line; nil for any other text.
  package init?(_ text: String) {
    let characters = text.utf8Span.span
    guard 1...128 ~= characters.count else { return nil }
    guard ByteSet.requestID.containsAll(of: characters) else { return nil }
    description = text
  }

  /// Takes the id from the headers if it is well-formed; otherwise creates a new one.
  package init(of headers: HTTPHeaders) {
    for field in headers.fields where field.name.utf8.count == 12 && field.isNamed(Self.header) {
      self = RequestID(field.value) ?? .new()
      return
    }
    self = .new()
  }

  /// Returns an id that is unique in this process.
  ///
  /// Seven random characters identify the process, eight more are the request's number. The text fits into a
  /// String without allocation, so that an unlogged request costs a single addition.
  package static func new() -> RequestID {
    let number = numbers.add(1, ordering: .relaxed).newValue
    return RequestID(process << 40 | UInt128(truncatingIfNeeded: number) & 0xFF_FFFF_FFFF)
  }

  /// Encodes 75 bits, five in each character.
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
