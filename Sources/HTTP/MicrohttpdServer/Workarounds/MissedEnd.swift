import CFusionMicrohttpd
import Glibc

/// The end of a peer's data, looked for at the socket.
///
/// Defect of 0.9.75: the library misses an end that arrives together with a request: it waits for the socket to change
/// once more, and keeps the connection until its timeout.
enum MissedEnd {
  /// Returns whether the peer sends no more, and all that it has sent is read.
  static func isReached(on descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
  }
}
