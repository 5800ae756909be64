import Glibc

/// The accepting side of a listening socket, used on any loop's thread: spreads connections over all loops.
final class Acceptor: Sendable {
  private let socket: ListeningSocket
  private let loops: EventLoops

  init(_ socket: ListeningSocket, _ loops: EventLoops) {
    self.socket = socket
    self.loops = loops
  }

  var descriptor: Int32 { socket.descriptor }

  /// Whether the socket accepts nothing any more.
  var hasRetired: Bool { socket.hasRetired }

  /// Accepts waiting connections, up to a number that leaves time for the open ones.
  ///
  /// Returns false if there are no descriptors left, and accepting again would fail again.
  func accept(on loop: EventLoop, _ daemon: Daemon) -> Bool {
    for _ in 0..<16 {
      let socket = socket.accept()
      guard socket >= 0 else {
        return ![EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno)
      }
      let other = loops.leastLoaded ?? loop
      // Passing a socket on costs a wake: only if it makes a difference.
      let isHandedOver = loop.isRetired || other.load + imbalance < loop.load
      if !isHandedOver || !other.take(socket) { daemon.add(socket) }
    }
    return true
  }
}

/// The difference in connections from which a loop passes new ones on.
private let imbalance = 2
