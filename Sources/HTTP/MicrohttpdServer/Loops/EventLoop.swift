import CFusionMicrohttpd
import Glibc
import Synchronization

/// A thread that serves connections, from the perspective of other threads.
///
/// A connection stays with its loop for life: all its work, including the handler, runs on that thread. Other
/// threads put work into the loop's inbox and wake it. If a response is a stream, the socket moves to the
/// loop that serves the streams of that affinity.
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

  /// The loop's thread; 0 before that has started.
  private let thread = Atomic<pthread_t>(0)

  /// The parts that the loop's thread alone uses.
  struct Local {
    /// The streams whose sockets belong to this loop.
    var streams: [StreamSocket] = []
    var hasStalledStreams = false
    /// Whether a socket is being taken over; the library's log messages are meaningless during that.
    var isTakingOver = false
  }

  nonisolated(unsafe) private var confined = Local()
  // Guard: `local`, which asserts that the loop's thread uses it.

  var local: Local {
    @inline(__always) _read {
      assertIsCurrent()
      yield unsafe confined
    }
    @inline(__always) _modify {
      assertIsCurrent()
      yield unsafe &confined
    }
  }

  /// Creates a loop without a thread; nil if no descriptor is left.
  init?(_ context: ServerContext) {
    guard let waker = Waker(), let events = EventSet() else { return nil }
    self.context = context
    self.waker = waker
    self.events = events
  }

  /// Makes the current thread the loop's.
  func begin() { thread.store(pthread_self(), ordering: .relaxed) }

  /// Asserts, in a debug build, that the current thread is the loop's, or that this has not started.
  @inline(__always)
  func assertIsCurrent() {
    assert(
      [0, pthread_self()].contains(thread.load(ordering: .relaxed)),
      "not on the loop's thread"
    )
  }

  /// The number of connections, including those in the inbox, but not streams, which are mostly idle.
  var load: Int { openConnections.load(ordering: .relaxed) }

  /// The number of connections and streams.
  var connections: Int { load + openStreams.load(ordering: .relaxed) }

  var isStopping: Bool { stopping.load(ordering: .acquiring) }

  /// Whether other loops serve new connections.
  var isRetired: Bool { retired.load(ordering: .acquiring) }

  /// Whether the loop accepts no more work, because its thread ends.
  var hasEnded: Bool { inbox.withLock { $0.isClosed } }

  func countIn() {
    openConnections.add(1, ordering: .relaxed)
  }

  func countOut() {
    openConnections.subtract(1, ordering: .relaxed)
  }

  /// Serves the existing connections to their end, and accepts no more.
  ///
  /// Any thread.
  func retire() {
    retired.store(true, ordering: .releasing)
    waker.wake()
  }

  /// Closes everything and ends the thread.
  ///
  /// Any thread.
  func stop() {
    stopping.store(true, ordering: .releasing)
    waker.wake()
  }
}

// The inbox.
extension EventLoop {
  /// Passes an accepted socket to the loop; returns false if the loop has ended.
  ///
  /// Any thread.
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

  /// Passes a stream to the loop, which serves it in its next pass; returns false if the loop has ended.
  ///
  /// Any thread.
  @discardableResult func queue(_ stream: StreamSocket) -> Bool {
    let isQueued = inbox.withLock { inbox in
      if !inbox.isClosed { inbox.streams.append(stream) }
      return !inbox.isClosed
    }
    if isQueued { waker.wake() }
    return isQueued
  }

  /// Takes all sockets out of the inbox.
  func takenSockets() -> [Int32] {
    inbox.withLock { inbox in
      guard !inbox.sockets.isEmpty else { return [] }
      defer { inbox.sockets = [] }
      for _ in inbox.sockets { countOut() }
      return inbox.sockets
    }
  }

  /// Takes all streams out of the inbox.
  private func queuedStreams() -> [StreamSocket] {
    inbox.withLock { inbox in
      guard !inbox.streams.isEmpty else { return [] }
      defer { inbox.streams = [] }
      return inbox.streams
    }
  }

  /// Closes the inbox if the loop has no connection and none is on its way; returns whether it is closed.
  func endIfIdle() -> Bool {
    inbox.withLock { inbox in
      // While this lock is free, a connection that is being passed on is counted, or in the inbox.
      if load == 0, local.streams.isEmpty, inbox.streams.isEmpty { inbox.isClosed = true }
      return inbox.isClosed
    }
  }

  /// Closes the inbox, and serves or closes its contents.
  func closeInbox() {
    let rest = inbox.withLock { inbox in
      let rest = inbox
      inbox = Inbox(isClosed: true)
      return rest
    }
    for socket in rest.sockets { close(socket) }
    for stream in rest.streams { stream.proceed() }
  }
}

// The streams whose sockets belong to the loop; on its thread only.
extension EventLoop {
  func insert(_ stream: StreamSocket) {
    stream.place = local.streams.count
    local.streams.append(stream)
    countStreams()
  }

  /// Removes a stream in constant time: the last one takes its position.
  func remove(_ stream: StreamSocket) {
    guard let last = local.streams.popLast() else { return }
    countStreams()
    context.openStreams.subtract(1, ordering: .relaxed)
    guard last !== stream else { return }
    local.streams[stream.place] = last
    last.place = stream.place
  }

  private func countStreams() {
    openStreams.store(local.streams.count, ordering: .relaxed)
  }

  /// Serves the stream whose socket had an event; ends it if its peer closed the connection or was lost.
  func serve(_ token: UInt64, isEnding: Bool) {
    guard let own = unsafe UnsafeRawPointer(bitPattern: UInt(token)) else { return }
    // The stream is alive: it is removed from the event set before the loop releases it.
    let stream = unsafe Unmanaged<StreamSocket>.fromOpaque(own).takeUnretainedValue()
    if isEnding { stream.end() } else { stream.proceed() }
  }

  func serveQueued() {
    for stream in queuedStreams() { stream.proceed() }
  }

  /// Cuts the streams whose peers have read none of their waiting data for too long.
  func cutStalled(_ now: Milliseconds) {
    guard local.hasStalledStreams else { return }
    let limit = context.idleTimeout
    local.hasStalledStreams = false
    for stream in local.streams where stream.cutIfStalled(now, limit: limit) {
      local.hasStalledStreams = true
    }
  }

  /// Ends all streams cleanly, as far as their peers read; called once the server is closing.
  func finishStreams() {
    for stream in local.streams { stream.proceed() }
  }

  /// Ends all streams at once.
  func endStreams() {
    for stream in local.streams { stream.end() }
  }
}

/// The loops that serve new connections and streams.
final class EventLoops: Sendable {
  private let loops = Mutex<[EventLoop]>([])

  /// Any thread.
  func replace(by loops: [EventLoop]) {
    self.loops.withLock { $0 = loops }
  }

  /// The loop with the fewest connections.
  var leastLoaded: EventLoop? {
    loops.withLock { $0 }.min { $0.load < $1.load }
  }

  /// Returns the loop that serves the streams of an affinity.
  func loop(forAffinity affinity: Int) -> EventLoop? {
    loops.withLock { loops in
      loops.isEmpty ? nil : loops[Int(UInt(bitPattern: affinity) % UInt(loops.count))]
    }
  }
}
