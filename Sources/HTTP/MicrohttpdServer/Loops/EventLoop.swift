import CFusionMicrohttpd
import Glibc
import Synchronization

/// One of the threads that serve connections, as others see it.
///
/// A connection stays with its loop for life: everything that is done for it, the handler included, is
/// done on that thread. Others leave there what is for it, and wake it. Where its answer is a stream, the socket
/// goes on to the loop that serves the streams of that affinity.
@safe final class EventLoop: Sendable {
  private struct Inbox {
    var sockets: [Int32] = []
    var streams: [StreamSocket] = []
    var isClosed = false
  }

  let context: ServerContext
  let waker: Waker
  let events: EventSet
  private let inbox = Mutex(Inbox())
  private let openConnections = Atomic(0)
  private let openStreams = Atomic(0)
  private let stopping = Atomic(false)
  private let retired = Atomic(false)

  /// The streams whose sockets are its own.
  nonisolated(unsafe) var streams: [StreamSocket] = []
  // Guard: used on the loop's thread only.
  nonisolated(unsafe) var hasStalledStreams = false
  // Guard: used on the loop's thread only.

  /// A socket is being taken over: what the library logs meanwhile is no news.
  nonisolated(unsafe) var isTakingOver = false
  // Guard: used on the loop's thread only.

  /// Nil where the process has no descriptor left.
  init?(_ context: ServerContext) {
    guard let waker = Waker(), let events = EventSet() else { return nil }
    self.context = context
    self.waker = waker
    self.events = events
  }

  /// How many connections are its own, those included that it has not looked at; streams rest, and do not count.
  var load: Int { openConnections.load(ordering: .relaxed) }

  /// The same with its streams.
  var connections: Int { load + openStreams.load(ordering: .relaxed) }

  var isStopping: Bool { stopping.load(ordering: .acquiring) }

  /// Whether others serve what is accepted from now on.
  var isRetired: Bool { retired.load(ordering: .acquiring) }

  /// Gives it an accepted socket; false where the loop has ended.
  func take(_ socket: Int32) -> Bool {
    let isTaken = inbox.withLock { inbox in
      guard !inbox.isClosed else { return false }
      inbox.sockets.append(socket)
      countIn()
      return true
    }
    if isTaken { waker.wake() }
    return isTaken
  }

  /// The sockets that have come since it was last asked.
  func takenSockets() -> [Int32] {
    inbox.withLock { inbox in
      guard !inbox.sockets.isEmpty else { return [] }
      defer { inbox.sockets = [] }
      for _ in inbox.sockets { countOut() }
      return inbox.sockets
    }
  }

  /// Leaves a stream for it; false where it has stopped.
  func leave(_ stream: StreamSocket) -> Bool {
    inbox.withLock { inbox in
      if !inbox.isClosed { inbox.streams.append(stream) }
      return !inbox.isClosed
    }
  }

  /// The streams that were left since it was last asked.
  func queuedStreams() -> [StreamSocket] {
    inbox.withLock { inbox in
      guard !inbox.streams.isEmpty else { return [] }
      defer { inbox.streams = [] }
      return inbox.streams
    }
  }

  /// Whether it takes nothing any more, as its thread ends.
  var hasEnded: Bool { inbox.withLock { $0.isClosed } }

  /// Takes nothing from here on, unless it has a connection, or is given one just now; false where that is
  /// so.
  func endIfIdle() -> Bool {
    inbox.withLock { inbox in
      // What is handed over is counted, or there, under this lock.
      if load == 0, unsafe streams.isEmpty, inbox.streams.isEmpty { inbox.isClosed = true }
      return inbox.isClosed
    }
  }

  /// Takes nothing from here on.
  func closeInbox() {
    let rest = inbox.withLock { inbox in
      let rest = inbox
      inbox = Inbox(isClosed: true)
      return rest
    }
    for socket in rest.sockets { close(socket) }
    for stream in rest.streams { stream.proceed() }
  }

  func countIn() {
    openConnections.add(1, ordering: .relaxed)
  }

  func countOut() {
    openConnections.subtract(1, ordering: .relaxed)
  }

  func countStreams() {
    openStreams.store(unsafe streams.count, ordering: .relaxed)
  }

  /// Has it serve what it has to its end, and nothing else.
  ///
  /// Any thread.
  func retire() {
    retired.store(true, ordering: .releasing)
    waker.wake()
  }

  func stop() {
    stopping.store(true, ordering: .releasing)
    waker.wake()
  }
}
