/// A part of a streamed body, encoded once as a chunk (RFC 9112 §7.1) and shared by all connections that send it.
///
/// Clients of HTTP/1.0 do not know chunks, and get its ``content``.
package struct BodyChunk: Sendable {
  /// The chunk: its size line, the content and a line end.
  ///
  /// Empty for no content, as an empty chunk ends a body.
  package let bytes: [UInt8]

  package init(_ content: [UInt8]) {
    guard !content.isEmpty else {
      bytes = []
      return
    }
    let size = String(content.count, radix: 16)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size.utf8.count + content.count + 4)
    bytes += size.utf8
    bytes += lineEnd
    bytes += content
    bytes += lineEnd
    self.bytes = bytes
  }

  /// Restores a chunk from another one's ``bytes``.
  package init(framed bytes: [UInt8]) {
    self.bytes = bytes
  }

  package var content: ArraySlice<UInt8> {
    guard let end = bytes.firstIndex(of: lineEnd[1]) else { return [] }
    return bytes[(end + 1)...].dropLast(lineEnd.count)
  }

  /// The last chunk, which ends a body (RFC 9112 §7.1), without a trailer.
  package static let last: [UInt8] = Array("0\r\n\r\n".utf8)
}

private let lineEnd = Array("\r\n".utf8)
