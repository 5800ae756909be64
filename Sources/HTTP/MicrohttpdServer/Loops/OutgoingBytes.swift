import CFusionMicrohttpd
import Glibc

/// Bytes that wait to be sent to a socket.
///
/// The pieces are shared with other sockets and never copied. An empty value uses no memory.
struct OutgoingBytes {
  private var pieces: [ArraySlice<UInt8>] = []
  private var count = 0

  var isEmpty: Bool { pieces.isEmpty }

  /// Whether there are enough bytes or pieces for one system call.
  var isFull: Bool { count >= 16_384 || pieces.count >= 64 }

  mutating func append(_ piece: ArraySlice<UInt8>) {
    guard !piece.isEmpty else { return }
    pieces.append(piece)
    count += piece.count
  }

  /// Removes sent bytes.
  mutating func drop(_ sent: Int) {
    var rest = min(sent, count)
    count -= rest
    // An idle stream keeps no buffer.
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

  /// Sends as many bytes as the socket accepts, and removes them; returns the result of send(2).
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

  /// Fills `parts` with the addresses of all pieces and calls `body`; recursive, since an address is valid
  /// only within a closure.
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
