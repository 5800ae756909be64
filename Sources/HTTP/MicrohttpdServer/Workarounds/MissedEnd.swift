import CFusionMicrohttpd
import Glibc

/// The end of a peer's data, checked at the socket.
///
/// Defect of 0.9.75: the library misses an end that arrives together with a request: it waits for another
/// event of the socket, and keeps the connection until its timeout.
enum MissedEnd {
  /// Returns whether the peer has stopped sending, and all its data is read.
  static func isReached(on descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
  }
}
