import FusionHTTPMessages
import FusionKeyedDigest

/// The place of a request's Inputs among those of a stream, of which they are a part: see ``StreamedInputs``.
///
/// It is a header field, as another node may have the session; clients' own fields are ignored. The response's field is the
/// number of the stream's Inputs that are processed.
struct InputPart: Sendable {
  static let header = "UIFusion-Part"

  /// The numbers of the part's Inputs, from 0.
  let range: Range<Int>
  /// The digest of the stream's first Input, by which a key for another stream is recognized, in hexadecimal.
  let first: String

  init(_ range: Range<Int>, first: [UInt8]) {
    self.range = range
    self.first = KeyedDigest.hash(first)
      .map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// Reads a field's value; nil if it is malformed.
  init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 3, let start = Int(words[0]), let end = Int(words[1]), 0...end ~= start
    else { return nil }
    range = start..<end
    first = String(words[2])
  }

  /// The field's value.
  var text: String { "\(range.lowerBound) \(range.upperBound) \(first)" }
}
