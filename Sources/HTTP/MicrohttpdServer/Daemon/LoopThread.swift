import CFusionMicrohttpd
import Glibc

/// The thread of an event loop: waits for events, and runs the loop's daemon on them.
@safe final class LoopThread: Sendable {
  private let loop: EventLoop
  private let daemon: Daemon
  private let acceptor: Acceptor
  nonisolated(unsafe) private var thread = pthread_t()
  // Guard: written by `start`, before anybody else has this object, and only read from then on.

  /// Nil where the system has no descriptors for it, or the library refuses.
  ///
  /// Either ``start()`` or ``discard()`` is to follow.
  init?(
    _ loop: EventLoop,
    _ configuration: MicrohttpdServer.Configuration,
    _ acceptor: Acceptor
  ) {
    guard let daemon = Daemon(configuration, loop) else { return nil }
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

  /// How many connections are its loop's, streams included.
  var connections: Int { loop.connections }

  /// Has it end the streams, where the server's connections are closing.
  ///
  /// Any thread.
  func finishStreams() {
    loop.waker.wake()
  }

  /// Tells it to close everything and end.
  ///
  /// Any thread.
  func stop() {
    loop.stop()
  }

  /// Has it look at what is asked of it.
  ///
  /// Any thread.
  func wake() {
    loop.waker.wake()
  }

  /// Whether its connections are all closed, and it ends or has ended.
  var hasEnded: Bool { loop.hasEnded }

  /// Has it accept nothing more, and end when its last connection is closed.
  ///
  /// Any thread.
  func retire() {
    loop.retire()
  }

  private enum Token: UInt64 {
    case waker, daemon, listener
  }

  /// Lets go of what never started.
  func discard() {
    daemon.stop()
  }

  /// False where the system has no thread.
  func start() -> Bool {
    let own = unsafe Unmanaged.passRetained(self)
    var thread = pthread_t()
    let result = unsafe pthread_create(
      &thread,
      nil,
      { own in
        guard let own = unsafe own else { return nil }
        unsafe Unmanaged<LoopThread>.fromOpaque(own).takeRetainedValue().run()
        return nil
      },
      own.toOpaque()
    )
    guard result == 0 else {
      unsafe own.release()
      return false
    }
    unsafe self.thread = thread
    return true
  }

  /// Blocks until all of its connections are closed; never on a loop's own thread.
  func join() {
    _ = unsafe pthread_join(thread, nil)
  }

  private func run() {
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
      if !isFinishing, loop.context.connections.isClosing {
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
    /// The process had no descriptor left for what came.
    case paused(until: Milliseconds)
    /// The loop is retired, or the server.
    case off
  }

  /// In milliseconds; -1 is for ever.
  private func longestWait(_ listening: Listening, _ now: Milliseconds) -> Int32 {
    var limit = daemon.timeout
    if case .paused(let until) = listening { limit = min(limit ?? .max, until - min(until, now)) }
    if unsafe loop.hasStalledStreams { limit = min(limit ?? .max, stallInterval) }
    guard limit != 0, loop.waker.rest() else { return 0 }
    return limit.map { Int32(clamping: $0) } ?? -1
  }
}

/// How long nothing is accepted where descriptors have run out.
private let acceptorPause: Milliseconds = 100

/// How often it looks whether a slow peer has gone on.
private let stallInterval: Milliseconds = 250
