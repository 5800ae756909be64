import CFusionMicrohttpd
import FusionHTTPMessages
import Glibc
import Synchronization

/// A stream whose socket an event loop has taken over from the library, after the response's head was sent.
///
/// An idle stream has no buffer and no timer, and costs the library nothing. Until ``begin(on:)`` it belongs
/// to its connection, on the thread of the connection's loop; afterwards it is used on its own loop's thread,
/// except for ``wake()`` and ``cancel()``.
@safe final class StreamSocket: Sendable {
  private struct State {
    /// The socket; -1 before the loop has taken it, and after the end.
    var descriptor: Int32 = -1
    var output = OutgoingBytes()
    /// Whether nothing follows the bytes in `output`.
    var isComplete = false
    /// Whether the body was cut at a point where the peer would take it for complete.
    var isTruncated = false
    /// The time since which the peer has read none of its waiting data; nil if it reads.
    var stalledSince: Milliseconds?
    var place = 0
  }

  private let stream: any BodyStream
  private let loop: EventLoop
  private let isChunking: Bool
  private let isQueued = Atomic(false)
  private let isCancelled = Atomic(false)
  /// A socket that the loop has not taken yet; otherwise -1.
  private let pendingSocket = Atomic<Int32>(-1)
  nonisolated(unsafe) private var confined = State()
  // Guard: `state`, which asserts that the loop's thread uses it.

  private var state: State {
    @inline(__always) _read {
      loop.assertIsCurrent()
      yield unsafe confined
    }
    @inline(__always) _modify {
      loop.assertIsCurrent()
      yield unsafe &confined
    }
  }

  /// The index among the loop's streams; used by the loop.
  var place: Int {
    get { state.place }
    set { state.place = newValue }
  }

  init(_ stream: any BodyStream, on loop: EventLoop, isChunking: Bool) {
    self.stream = stream
    self.loop = loop
    self.isChunking = isChunking
  }

  func open() {
    stream.opened(wake: { [self] in wake() }, cut: { [self] in cancel() })
  }

  /// Makes the loop ask the stream for its next step.
  ///
  /// Any thread, even after the end.
  func wake() {
    if !isQueued.exchange(true, ordering: .acquiringAndReleasing) { loop.queue(self) }
  }

  /// Ends the stream even if its peer does not read.
  ///
  /// Any thread, even after the end.
  func cancel() {
    isCancelled.store(true, ordering: .releasing)
    wake()
  }

  /// Makes the loop serve a duplicate of `socket`; returns false if no descriptor is left, or the loop has
  /// ended.
  func begin(on socket: Int32) -> Bool {
    let descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { return false }
    // The library may delay the end of the head, to send it with the next data.
    flushCorkedBytes(descriptor)
    pendingSocket.store(descriptor, ordering: .releasing)
    // Not by `wake`: the loop may have ended with this stream's wake in its inbox.
    if loop.queue(self) { return true }
    let rest = pendingSocket.exchange(-1, ordering: .acquiring)
    // The ending loop has served an earlier wake of this stream and taken the socket.
    if rest < 0 { return true }
    close(rest)
    return false
  }

  /// Closes a stream that was never begun.
  func discard() {
    stream.closed()
  }

  /// Takes the pending socket; returns false if there is none, or if it cannot be watched.
  private func takePendingSocket() -> Bool {
    let descriptor = pendingSocket.exchange(-1, ordering: .acquiring)
    guard descriptor >= 0 else { return false }
    state.descriptor = descriptor
    loop.insert(self)
    if loop.events.add(descriptor, [.output, .ending, .edges], token: token) { return true }
    end()
    return false
  }

  /// The token of the socket's events: this object's address, valid while the loop holds it.
  private var token: UInt64 {
    unsafe UInt64(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()))
  }

  /// Sends the stream's data, as far as the peer accepts it.
  func proceed() {
    // First, so that a later wake queues the stream again.
    _ = isQueued.exchange(false, ordering: .acquiringAndReleasing)
    guard state.descriptor >= 0 || takePendingSocket() else { return }
    var isIdle = false
    for _ in 0..<roundsPerTurn {
      guard flush() else { return }
      if state.isComplete { return finish() }
      if isIdle { return }
      isIdle = collect()
    }
    // Lets other streams run first.
    wake()
  }

  /// Collects enough data for one system call; returns whether the stream has no more at present.
  private func collect() -> Bool {
    let isEnding = loop.context.isClosing
    while !state.output.isFull {
      switch isEnding ? (stream.endsAnywhere ? .finished : .failed) : stream.next() {
      case .chunk(let chunk): append(chunk)
      case .idle: return true
      case .finished:
        if isEnding { append(stream.finalChunk()) }
        if isChunking { state.output.append(BodyChunk.last[...]) }
        state.isComplete = true
        return true
      case .failed:
        // Without a last chunk a peer knows that the body was cut; a body without chunks ends with its
        // connection.
        (state.isComplete, state.isTruncated) = (true, !isChunking)
        return true
      }
    }
    return false
  }

  private func append(_ chunk: BodyChunk?) {
    guard let chunk else { return }
    state.output.append(isChunking ? chunk.bytes[...] : chunk.content)
  }

  /// Sends the output; returns whether all was sent.
  private func flush() -> Bool {
    while !state.output.isEmpty {
      if state.output.send(to: state.descriptor) > 0 {
        state.stalledSince = nil
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN where isCancelled.load(ordering: .acquiring): end(isDiscarding: true)
      case EAGAIN: stall()
      default: end()
      }
      return false
    }
    return true
  }

  private func stall() {
    if state.stalledSince == nil { state.stalledSince = coarseNow() }
    loop.local.hasStalledStreams = true
  }

  /// Ends the stream if its peer has read nothing for `limit`; returns whether the peer was slow.
  func cutIfStalled(_ now: Milliseconds, limit: Milliseconds) -> Bool {
    guard let since = state.stalledSince else { return false }
    if now > since + limit { end(isDiscarding: true) }
    return true
  }

  /// Ends the stream after all is sent.
  private func finish() {
    // With unread input, closing would reset the connection, and discard sent data.
    discardInput(state.descriptor)
    end(isDiscarding: state.isTruncated)
  }

  /// Closes the socket and the stream.
  func end(isDiscarding: Bool = false) {
    let descriptor = state.descriptor
    // Before closing: as long as the library's descriptor is open, events would continue.
    loop.events.remove(descriptor)
    loop.remove(self)
    if isDiscarding { resetWhenClosed(descriptor) }
    close(descriptor)
    state = State(place: state.place)
    stream.closed()
  }
}

/// The rounds of collecting and sending before the other streams' turn.
private let roundsPerTurn = 16

/// Sends the data that the kernel delays (TCP_NODELAY).
private func flushCorkedBytes(_ descriptor: Int32) {
  var on: Int32 = 1
  _ = unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, 4)
}

/// Reads and drops unexpected data from a client, at most 64 KiB.
private func discardInput(_ descriptor: Int32) {
  unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { bytes in
    for _ in 0..<16 where unsafe recv(descriptor, bytes.baseAddress, 4096, Int32(MSG_DONTWAIT)) <= 0
    {
      return
    }
  }
}

/// Makes close(2) send RST and drop unsent data (socket(7), SO_LINGER).
func resetWhenClosed(_ descriptor: Int32) {
  var now = linger(l_onoff: 1, l_linger: 0)
  let size = socklen_t(MemoryLayout<linger>.size)
  _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, size)
}
