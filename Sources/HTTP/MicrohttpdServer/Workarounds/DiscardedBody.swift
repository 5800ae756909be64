/// The count of a body that is too large, and is read only to be thrown away.
///
/// Defect of libmicrohttpd 0.9.75: while a chunked body arrives, MHD_queue_response fails: a 413 cannot be sent before the body's
/// end (RFC 9110 §15.5.14 allows it).
struct DiscardedBody {
  /// The most bytes that are thrown away.
  static let limit = 1 << 20

  private var count = 0

  /// Counts a part; returns false once it is too much, and the connection has to be cut.
  mutating func take(_ part: Int) -> Bool {
    count += part
    return count <= Self.limit
  }
}
