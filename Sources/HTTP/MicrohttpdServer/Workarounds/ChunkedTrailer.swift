/// The rule for a connection after a chunked request.
///
/// Defect of 0.9.75: a trailer ends at the empty line (RFC 9112 §7.1.2), but the library also ends it at any
/// line that begins with a colon, without reporting it: the next request may be smuggled.
enum ChunkedTrailer {
  /// Returns whether a response must close its connection.
  static func closesConnection(isChunked: Bool) -> Bool { isChunked }
}
