/// A response body that becomes available over time.
///
/// The server pulls: it asks for the next step, and waits for a wake if there is nothing to send. The calls
/// come from the server's threads, never two at a time, in the order opened, next …, closed.
package protocol BodyStream: AnyObject, Sendable {
  /// A number shared by streams that one thread should serve, because they send at the same time.
  ///
  /// Read once, before the stream is opened.
  var affinity: Int { get }
  /// Whether the body is complete wherever it ends; if not, the connection is cut when the server stops.
  var endsAnywhere: Bool { get }

  /// Takes two closures, which may be called on any thread, even after the end. Called once, before the first
  /// step.
  ///
  /// `wake` makes the server ask for the next step again. `cut`, for a stream that gives up on its peer, does
  /// the same, or closes the connection if the peer has not read everything that was sent.
  func opened(wake: @escaping @Sendable () -> Void, cut: @escaping @Sendable () -> Void)
  /// Returns the next step, without blocking.
  func next() -> BodyStep
  /// Returns the chunk that completes the body when the server stops. Called at most once, in place of the
  /// last step.
  func finalChunk() -> BodyChunk?
  /// Releases the stream's resources. Called once, whether the stream ended by `finished`, by its peer, or by
  /// the server's stop.
  func closed()
}

extension BodyStream {
  package var affinity: Int { ObjectIdentifier(self).hashValue }

  package var endsAnywhere: Bool { true }

  /// Returns nil: most bodies may end anywhere.
  package func finalChunk() -> BodyChunk? { nil }
}

/// A step of a streamed body.
package enum BodyStep: Sendable {
  case chunk(BodyChunk)
  /// A pause until the next wake.
  case idle
  case finished
  /// The end of an incomplete body: the connection is closed, so that the client notices.
  case failed
}

/// A part of a streamed body, encoded once as a chunk (RFC 9112 §7.1) and shared by all connections that send it.
///
/// HTTP/1.0 clients do not know chunks, and get the ``content``.
package struct BodyChunk: Sendable {
  /// The chunk: its size line, the content and a line end.
  ///
  /// Empty without content, since an empty chunk would end the body.
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
