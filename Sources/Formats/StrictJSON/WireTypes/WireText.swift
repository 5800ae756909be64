#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A type whose values are written in JSON as a string.
private protocol WireText: DecodableWireValue, EncodableWireValue {
  /// Creates a value from its text; nil if the text has another form.
  init?(wireText: String)

  /// The text; nil if the value cannot be written.
  var wireText: String? { get }
}

extension WireText {
  static func read(_ decoder: NodeDecoder) throws -> Self? {
    guard decoder.node.kind == .string else { return nil }
    return Self(wireText: decoder.document.text(of: decoder.index))
  }

  func write(to place: PlaceEncoder) throws {
    guard let text = wireText else {
      // The message omits the value, which cannot always be printed.
      let reason = "there is no form for this \(Self.self)"
      throw EncodingError.invalid(reason, reason, at: place.codingPath)
    }
    try place.encode(text)
  }
}

/// A date is written by RFC 3339 in UTC.
///
/// Reading and writing round to milliseconds, so that a stored `Date` is always written alike.
extension Date: WireText {
  static var expected: String { "a date and time such as \"2000-01-31T12:00:00.000Z\"" }

  /// A number, of seconds since 2001.
  static var storedKind: JSONNode.Kind? { .number }

  /// The milliseconds from 1970 to 2001.
  private static var epoch: Int { 978_307_200_000 }

  init?(wireText: String) {
    guard let timestamp = Timestamp(wireText) else { return nil }
    self.init(
      timeIntervalSinceReferenceDate: Double(timestamp.milliseconds - Self.epoch) / 1000
    )
  }

  /// The text; nil outside the years 0000 to 9999.
  var wireText: String? {
    let milliseconds = (timeIntervalSinceReferenceDate * 1000).rounded()
    guard let whole = Int(exactly: milliseconds) else { return nil }
    let (sum, isTooLarge) = whole.addingReportingOverflow(Self.epoch)
    return isTooLarge ? nil : Timestamp(milliseconds: sum)?.text
  }
}

/// A UUID is written by RFC 9562 section 4, in capitals like Foundation's; lower case is accepted, too.
extension UUID: WireText {
  static var expected: String { "a UUID" }

  static var storedKind: JSONNode.Kind? { nil }

  init?(wireText: String) { self.init(uuidString: wireText) }

  var wireText: String? { uuidString }
}

/// A URL is written as an absolute address.
extension URL: WireText {
  static var expected: String { "a URL" }

  /// An object with `relative`, and with `base` if there is one.
  static var storedKind: JSONNode.Kind? { .object }

  /// Creates a URL; characters that RFC 3986 does not allow are percent-encoded.
  init?(wireText: String) { self.init(string: wireText) }

  /// The text; nil for an empty URL, which could not be decoded again.
  var wireText: String? {
    let text = absoluteString
    return text.isEmpty ? nil : text
  }
}

/// Data is written as base64 by RFC 4648 section 4: padded, in one line; stray bits are refused (section
/// 3.5).
extension Data: WireText {
  static var expected: String { "base64" }

  /// An array of bytes.
  static var storedKind: JSONNode.Kind? { .array }

  init?(wireText: String) {
    self.init(base64Encoded: wireText)
    guard base64EncodedString() == wireText else { return nil }
  }

  var wireText: String? { base64EncodedString() }
}
