/// A part of a streamed body, as it is sent to however many: its bytes are made once, and shared.
///
/// It is written as a chunk (RFC 9112 §7.1), of which ``content`` is sent to clients of HTTP/1.0, which
/// know none.
package struct BodyChunk: Sendable {
  /// The line with the size, the content, and the line's end; empty where the content is, as an empty
  /// chunk would be the last one.
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

  /// What was another chunk's ``bytes``.
  package init(framed bytes: [UInt8]) {
    self.bytes = bytes
  }

  package var content: ArraySlice<UInt8> {
    guard let end = bytes.firstIndex(of: lineEnd[1]) else { return [] }
    return bytes[(end + 1)...].dropLast(lineEnd.count)
  }

  /// Ends a body that is sent in chunks (RFC 9112 §7.1), without a trailer.
  package static let last: [UInt8] = Array("0\r\n\r\n".utf8)
}

private let lineEnd = Array("\r\n".utf8)
