/// The count of a body that is too large, and is read only to be discarded.
///
/// Defect of libmicrohttpd 0.9.75: MHD_queue_response fails while a chunked body arrives, so a 413 cannot be
/// sent before the body's end (RFC 9110 §15.5.14 allows it).
struct DiscardedBody {
  /// The maximum number of bytes to discard.
  static let limit = 1 << 20

  private var count = 0

  /// Counts a part; returns false if the limit is exceeded, and the connection must be cut.
  mutating func take(_ part: Int) -> Bool {
    count += part
    return count <= Self.limit
  }
}
