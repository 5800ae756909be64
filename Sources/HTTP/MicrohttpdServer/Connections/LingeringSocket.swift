import Dispatch
import Glibc
import Synchronization

/// A copy of a connection's socket that outlives the connection for a moment, to discard the data that the
/// peer still sends.
///
/// The library closes the socket right after a response that precedes the end of the request's body. The
/// system answers the rest of the body with a reset, which may make the peer lose the response (RFC 9112
/// §9.6).
enum LingeringSocket {
  private static let count = Atomic(0)
  /// The maximum number of lingering sockets, which no connection limit counts.
  private static let limit = 64
  private static let queue = DispatchQueue(label: "http-lingering")

  /// Starts to linger unless too many sockets do; the caller still closes the socket itself.
  static func begin(_ descriptor: Int32) {
    guard count.load(ordering: .relaxed) < limit else { return }
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { return }
    count.wrappingAdd(1, ordering: .relaxed)
    _ = shutdown(copy, Int32(SHUT_WR))
    let made = DispatchSource.makeReadSource(fileDescriptor: copy, queue: queue)
    nonisolated(unsafe) let source = made
    // Guard: used before activation, and for cancelling, which is safe on any thread.
    unsafe source.setEventHandler {
      if discard(from: copy) <= 0 { unsafe source.cancel() }
    }
    unsafe source.setCancelHandler {
      close(copy)
      count.wrappingSubtract(1, ordering: .relaxed)
    }
    unsafe source.activate()
    queue.asyncAfter(deadline: .now() + .seconds(2)) { unsafe source.cancel() }
  }

  private static func discard(from descriptor: Int32) -> Int {
    unsafe withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { room in
      unsafe recv(descriptor, room.baseAddress, room.count, Int32(MSG_DONTWAIT))
    }
  }
}
