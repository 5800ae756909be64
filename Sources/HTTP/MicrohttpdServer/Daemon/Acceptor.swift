import Glibc

/// Accepts connections on any loop's thread, and spreads them over all loops.
final class Acceptor: Sendable {
  private let socket: ListeningSocket
  private let loops: EventLoops

  init(_ socket: ListeningSocket, _ loops: EventLoops) {
    self.socket = socket
    self.loops = loops
  }

  var descriptor: Int32 { socket.descriptor }

  /// Whether nothing is accepted any more.
  var hasRetired: Bool { socket.hasRetired }

  /// Accepts what waits, up to a number that leaves time for those who are there already.
  ///
  /// False where there are no descriptors left, and accepting again would fail again.
  func accept(on loop: EventLoop, _ daemon: Daemon) -> Bool {
    for _ in 0..<16 {
      let socket = socket.accept()
      guard socket >= 0 else {
        return ![EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno)
      }
      let other = loops.leastLoaded ?? loop
      // A hand-over costs a wake: only where it makes a difference.
      let isHandedOver = loop.isRetired || other.load + imbalance < loop.load
      if !isHandedOver || !other.take(socket) { daemon.add(socket) }
    }
    return true
  }
}

/// How many connections a loop may have more than another before it gives it the next one.
private let imbalance = 2
