import FusionHTTPMessages
import Glibc
import Synchronization

/// A stream whose socket its loop has taken over from the library, once that had sent the answer's head.
///
/// At rest it has no buffer, no timer and no part in anything that the library does. Until ``begin(on:)`` it
/// belongs to its connection, on the thread of that one's loop; from then on all is on its own loop's thread but
/// for ``wake()`` and ``abandon()``.
@safe final class StreamSocket: Sendable {
  private struct State {
    /// -1 before the loop has it, and after the end.
    var descriptor: Int32 = -1
    var output = OutgoingBytes()
    /// Nothing follows what is in `output`.
    var isComplete = false
    /// Since when the peer has taken nothing of what waits for it.
    var stalledSince: Milliseconds?
  }

  private let stream: any BodyStream
  private let loop: EventLoop
  private let isChunking: Bool
  private let isQueued = Atomic(false)
  private let isAbandoned = Atomic(false)
  /// A socket that the loop has not looked at; else -1.
  private let arriving = Atomic<Int32>(-1)
  nonisolated(unsafe) private var state = State()
  // Guard: used on the loop's thread only.
  nonisolated(unsafe) var place = 0
  // Guard: as above.

  init(_ stream: any BodyStream, on loop: EventLoop, isChunking: Bool) {
    self.stream = stream
    self.loop = loop
    self.isChunking = isChunking
  }

  func open() {
    stream.opened(wake: { [self] in wake() }, cut: { [self] in abandon() })
  }

  /// The stream may have something to say.
  ///
  /// Any thread, also after the end.
  func wake() {
    if !isQueued.exchange(true, ordering: .acquiringAndReleasing) { loop.queue(self) }
  }

  /// The stream has given up on its peer.
  ///
  /// Any thread, also after the end.
  func abandon() {
    isAbandoned.store(true, ordering: .releasing)
    wake()
  }

  /// Has the loop serve a socket, under a number of its own.
  ///
  /// False where the system has no number left, or the loop has stopped.
  func begin(on socket: Int32) -> Bool {
    let descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { return false }
    // What the library holds back of the head, to send it with what follows.
    pushWhatWaits(descriptor)
    arriving.store(descriptor, ordering: .releasing)
    // Not by `wake`: the loop may have stopped with a wake of this stream in its inbox.
    if loop.queue(self) { return true }
    let rest = arriving.exchange(-1, ordering: .acquiring)
    // Taken all the same: the loop ended with an earlier wake of this stream to look at.
    if rest < 0 { return true }
    close(rest)
    return false
  }

  /// It never began.
  func discard() {
    stream.closed()
  }

  /// Takes a socket that was left for it; false where there is none, or it cannot be watched.
  private func arrive() -> Bool {
    let descriptor = arriving.exchange(-1, ordering: .acquiring)
    guard descriptor >= 0 else { return false }
    unsafe state.descriptor = descriptor
    loop.insert(self)
    if loop.events.add(descriptor, [.output, .ending, .edges], token: token) { return true }
    end()
    return false
  }

  /// What its events are known by: its address, as long as the loop has it.
  private var token: UInt64 {
    unsafe UInt64(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()))
  }

  /// Sends what there is, as far as the peer takes it.
  func proceed() {
    // First: whatever wakes it from here on finds it not queued.
    _ = isQueued.exchange(false, ordering: .acquiringAndReleasing)
    guard unsafe state.descriptor >= 0 || arrive() else { return }
    var isIdle = false
    for _ in 0..<roundsInTurn {
      guard flush() else { return }
      if unsafe state.isComplete { return finish() }
      if isIdle { return }
      isIdle = collect()
    }
    // Others first.
    wake()
  }

  /// Asks for as much as is sent at once; true where there is no more for now.
  private func collect() -> Bool {
    let isEnding = loop.context.connections.isClosing
    while unsafe !state.output.isFull {
      switch isEnding ? .finished : stream.next() {
      case .chunk(let chunk): append(chunk)
      case .idle: return true
      case .finished:
        if isEnding { append(stream.conclusion()) }
        if isChunking { unsafe state.output.append(BodyChunk.last[...]) }
        unsafe state.isComplete = true
        return true
      }
    }
    return false
  }

  private func append(_ chunk: BodyChunk?) {
    guard let chunk else { return }
    unsafe state.output.append(isChunking ? chunk.bytes[...] : chunk.content)
  }

  /// True once nothing is left to be sent.
  private func flush() -> Bool {
    while unsafe !state.output.isEmpty {
      if unsafe state.output.send(to: state.descriptor) > 0 {
        unsafe state.stalledSince = nil
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN where isAbandoned.load(ordering: .acquiring): end(isDiscarding: true)
      case EAGAIN: stall()
      default: end()
      }
      return false
    }
    return true
  }

  private func stall() {
    if unsafe state.stalledSince == nil { unsafe state.stalledSince = coarseNow() }
    unsafe loop.hasStalledStreams = true
  }

  /// Whether the peer is slow; one that has taken nothing for `limit` is cut.
  func cutIfStalled(_ now: Milliseconds, limit: Milliseconds) -> Bool {
    guard let since = unsafe state.stalledSince else { return false }
    if now > since + limit { end(isDiscarding: true) }
    return true
  }

  /// All is sent.
  private func finish() {
    // With input unread, closing would reset the connection, and take what was sent with it.
    discardInput(unsafe state.descriptor)
    end()
  }

  /// However it ended; once.
  func end(isDiscarding: Bool = false) {
    let descriptor = unsafe state.descriptor
    // Before it is closed: the library may not have closed its own yet, and events go on until then.
    loop.events.remove(descriptor)
    loop.remove(self)
    if isDiscarding { resetWhenClosed(descriptor) }
    close(descriptor)
    unsafe state = State()
    stream.closed()
  }
}

/// How often a stream that never rests is served before the others' turn.
private let roundsInTurn = 16

private func pushWhatWaits(_ descriptor: Int32) {
  var on: Int32 = 1
  _ = unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, 4)
}

/// No more than a client may have sent by mistake.
private func discardInput(_ descriptor: Int32) {
  unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { bytes in
    for _ in 0..<16 where unsafe recv(descriptor, bytes.baseAddress, 4096, Int32(MSG_DONTWAIT)) <= 0
    {
      return
    }
  }
}
