import CFusionMicrohttpd
import Glibc

/// The thread of an event loop: waits for events, and runs the loop's daemon.
@safe final class LoopThread: Sendable {
  let loop: EventLoop
  private let daemon: Daemon
  private let acceptor: Acceptor
  nonisolated(unsafe) private var thread = pthread_t()
  // Guard: written by `start`, before any other thread has this object; afterwards only read.

  /// Starts a daemon; nil if no descriptors are left, or the library refuses.
  ///
  /// The caller must call either ``start()`` or ``discard()``.
  init?(
    _ loop: EventLoop,
    _ configuration: ServerConfiguration,
    _ acceptor: Acceptor,
    _ registry: ConnectionRegistry
  ) {
    guard let daemon = Daemon(configuration, CallbackContext(loop, registry)) else { return nil }
    self.loop = loop
    self.daemon = daemon
    self.acceptor = acceptor
    guard loop.events.add(loop.waker.descriptor, [.input, .edges], token: Token.waker.rawValue),
      loop.events.add(daemon.descriptor, .input, token: Token.daemon.rawValue)
    else {
      daemon.stop()
      return nil
    }
  }

  private enum Token: UInt64 {
    case waker, daemon, listener
  }

  /// Releases the daemon of a thread that was never started.
  func discard() {
    daemon.stop()
  }

  /// Starts the thread; returns false if the system cannot create one.
  func start() -> Bool {
    guard let thread = startThread(run) else { return false }
    unsafe self.thread = thread
    return true
  }

  /// Blocks until all of the loop's connections are closed; must not be called on a loop's own thread.
  func join() {
    _ = unsafe pthread_join(thread, nil)
  }

  private func run() {
    loop.begin()
    var listening = Listening.paused(until: 0)
    var isFinishing = false
    while !loop.isStopping {
      let now = coarseNow()
      if loop.isRetired || acceptor.hasRetired {
        if case .on = listening { loop.events.remove(acceptor.descriptor) }
        listening = .off
      }
      if loop.isRetired, loop.endIfIdle() { break }
      if case .paused(let until) = listening, until <= now {
        _ = loop.events.add(
          acceptor.descriptor,
          [.input, .exclusive],
          token: Token.listener.rawValue
        )
        listening = .on
      }
      loop.events.wait(milliseconds: longestWait(listening, now)) { token, isEnding in
        switch Token(rawValue: token) {
        case .waker, .daemon: break
        case .listener:
          guard !acceptor.accept(on: loop, daemon) else { return }
          loop.events.remove(acceptor.descriptor)
          listening = .paused(until: now + acceptorPause)
        case nil: loop.serve(token, isEnding: isEnding)
        }
      }
      loop.waker.look()
      for socket in loop.takenSockets() { daemon.add(socket) }
      daemon.run()
      loop.serveQueued()
      loop.cutStalled(now)
      if !isFinishing, loop.context.isClosing {
        isFinishing = true
        loop.finishStreams()
      }
    }
    daemon.stop()
    loop.closeInbox()
    loop.endStreams()
  }

  private enum Listening {
    case on
    /// No descriptor was left for a connection.
    case paused(until: Milliseconds)
    /// The loop or the server is retired.
    case off
  }

  /// Returns the time to wait for events in milliseconds; -1 without a limit.
  private func longestWait(_ listening: Listening, _ now: Milliseconds) -> Int32 {
    var limit = daemon.timeout
    if case .paused(let until) = listening { limit = min(limit ?? .max, until - min(until, now)) }
    if loop.local.hasStalledStreams { limit = min(limit ?? .max, stallInterval) }
    guard limit != 0, loop.waker.rest() else { return 0 }
    return limit.map { Int32(clamping: $0) } ?? -1
  }
}

/// The time for which the thread accepts nothing after descriptors ran out.
private let acceptorPause: Milliseconds = 100

/// The interval between checks whether a slow peer reads again.
private let stallInterval: Milliseconds = 250

/// The accepting side of a listening socket, used on any loop's thread; spreads connections over all loops.
final class Acceptor: Sendable {
  private let socket: ListeningSocket
  private let loops: EventLoops

  init(_ socket: ListeningSocket, _ loops: EventLoops) {
    self.socket = socket
    self.loops = loops
  }

  var descriptor: Int32 { socket.descriptor }

  /// Whether the socket has stopped accepting.
  var hasRetired: Bool { socket.hasRetired }

  /// Accepts waiting connections, up to a number that leaves time for the open ones.
  ///
  /// Returns false if no descriptors are left, so that accepting again would fail again.
  func accept(on loop: EventLoop, _ daemon: Daemon) -> Bool {
    for _ in 0..<16 {
      let socket = socket.accept()
      guard socket >= 0 else {
        return ![EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno)
      }
      let other = loops.leastLoaded ?? loop
      // Passing on a socket costs a wake, so only if it makes a difference.
      let isHandedOver = loop.isRetired || other.load + imbalance < loop.load
      if !isHandedOver || !other.take(socket) { daemon.add(socket) }
    }
    return true
  }
}

/// The difference in load from which a loop passes on new connections.
private let imbalance = 2
