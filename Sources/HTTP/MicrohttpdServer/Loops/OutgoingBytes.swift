import Glibc

/// Bytes on their way into a socket, which takes a part of them at a time.
///
/// They stand in pieces, which are shared with other sockets and never copied. Empty, it has no memory.
struct OutgoingBytes {
  private var pieces: [ArraySlice<UInt8>] = []
  private var count = 0

  var isEmpty: Bool { pieces.isEmpty }

  /// Whether there is as much as is sent at once.
  var isFull: Bool { count >= 16_384 || pieces.count >= 64 }

  mutating func append(_ piece: ArraySlice<UInt8>) {
    guard !piece.isEmpty else { return }
    pieces.append(piece)
    count += piece.count
  }

  /// So many bytes are gone.
  mutating func drop(_ sent: Int) {
    var rest = min(sent, count)
    count -= rest
    // An idle stream shall hold no buffer.
    guard count > 0 else {
      pieces = []
      return
    }
    let whole = pieces.firstIndex { piece in
      if rest < piece.count { return true }
      rest -= piece.count
      return false
    }
    pieces.removeFirst(whole ?? pieces.count)
    if !pieces.isEmpty { pieces[0].removeFirst(rest) }
  }

  /// Sends as many as the socket takes now, and drops them; negative as send(2), with the reason in errno.
  mutating func send(to socket: Int32) -> Int {
    let sent: Int
    if pieces.count == 1 {
      sent = unsafe pieces[0].withUnsafeBytes { bytes in
        unsafe Glibc.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      }
    } else {
      sent = unsafe withUnsafeTemporaryAllocation(of: iovec.self, capacity: pieces.count) { parts in
        unsafe Self.withParts(pieces[...], parts, 0) { count in
          unsafe writev(socket, parts.baseAddress, Int32(count))
        }
      }
    }
    if sent > 0 { drop(sent) }
    return sent
  }

  /// Calls `body` with the addresses of all pieces in `parts`; they are valid in their closures alone, so
  /// that each calls the next.
  private static func withParts(
    _ pieces: ArraySlice<ArraySlice<UInt8>>,
    _ parts: UnsafeMutableBufferPointer<iovec>,
    _ count: Int,
    _ body: (Int) -> Int
  ) -> Int {
    guard let piece = pieces.first else { return body(count) }
    return unsafe piece.withUnsafeBytes { bytes in
      unsafe parts[count] = iovec(
        iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress),
        iov_len: bytes.count
      )
      return unsafe withParts(pieces.dropFirst(), parts, count + 1, body)
    }
  }
}
