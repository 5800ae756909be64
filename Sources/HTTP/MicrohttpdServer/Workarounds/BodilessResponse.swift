import CFusionMicrohttpd

/// A response without a body, which may declare the body's length: to HEAD (RFC 9110 §9.3.2), and 304
/// (§15.4.5).
///
/// Defect of 0.9.75: the library omits Content-Length only for a body of unknown size, and ends that with the
/// last chunk even if there is no body: the next response on the connection is garbage. Without a length the
/// response therefore uses HTTP/1.0, without chunks, and closes the connection.
enum BodilessResponse {
  /// Returns a new response of the library, which the caller must destroy.
  static func make(length: Int?) -> OpaquePointer? {
    let size = length.map(UInt64.init) ?? cmhd_size_unknown
    guard let handle = unsafe MHD_create_response_from_callback(size, 1, readNothing, nil, nil)
    else { return nil }
    if length == nil { _ = unsafe cmhd_without_chunks(handle) }
    return unsafe handle
  }
}

/// MHD_ContentReaderCallback of a body that is never sent.
private func readNothing(
  _ context: UnsafeMutableRawPointer?,
  _ position: UInt64,
  _ buffer: UnsafeMutablePointer<CChar>?,
  _ size: Int
) -> Int {
  cmhd_end_of_stream
}
