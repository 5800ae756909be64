/// The rule for a connection whose request came in chunks.
///
/// Defect of 0.9.75: a trailer ends at the empty line (RFC 9112 §7.1.2), but the library also ends it at any line that
/// begins with a colon, and does not report it: the next request may be smuggled.
enum ChunkedTrailer {
  /// Returns whether a response has to close its connection.
  static func closesConnection(isChunked: Bool) -> Bool { isChunked }
}
