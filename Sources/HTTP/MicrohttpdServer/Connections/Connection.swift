import CFusionMicrohttpd
import FusionHTTPMessages
import Glibc
import Synchronization

/// One accepted socket, from NOTIFY_CONNECTION's first call to its last, one request at a time.
///
/// Three parts, each with a guard of its own: `guarded` for what any thread may change, `stage` for
/// what the sweeper reads, and the rest for the thread of its loop; every call of the library's
/// for this connection comes on that thread.
@safe final class Connection: Sendable {
  struct Guarded {
    var exchange = ExchangeState()
    /// -1 once the library may close it, after which the number can be another connection's.
    var descriptor: Int32

    func cut(isDiscarding: Bool) {
      guard descriptor >= 0 else { return }
      if isDiscarding { resetWhenClosed(descriptor) }
      _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }
  }

  /// Where the loop stands in the current request.
  enum Step {
    case head
    case body
    /// The body was too large and is read only to be thrown away; so much of it so far.
    case discarding(Int)
    case handled
  }

  let loop: EventLoop
  nonisolated(unsafe) let handle: OpaquePointer
  // Guard: passed to the library on the loop's thread, and elsewhere only with `guarded` held and its
  // phase saying that the connection is suspended.
  let guarded: Mutex<Guarded>
  /// What all its requests have in common.
  let arrival: ConnectionInfo
  let stage = Atomic(Stage(.fresh, since: coarseNow()))
  /// -1 where `Connections` does not have it.
  nonisolated(unsafe) var place = -1
  // Guard: the lock of `Connections`.

  /// What the sweeper knows of how fast the answer is being taken; over a Unix socket, since when all is in.
  nonisolated(unsafe) var progress: Progress?
  // Guard: used on the sweeper's queue only.

  nonisolated(unsafe) var step = Step.head
  // Guard: used on the loop's thread only.
  nonisolated(unsafe) var request: HTTPRequest?
  // Guard: used on the loop's thread only.
  nonisolated(unsafe) var reader: StreamReader?
  // Guard: used on the loop's thread only.

  /// A stream whose socket the loop takes over once the head is sent.
  nonisolated(unsafe) var successor: StreamSocket?
  // Guard: used on the loop's thread only.
  nonisolated(unsafe) var isHead = false
  // Guard: used on the loop's thread only.
  nonisolated(unsafe) var isChunking = false
  // Guard: used on the loop's thread only.
  nonisolated(unsafe) var isLast = false
  // Guard: used on the loop's thread only.
  nonisolated(unsafe) var isSurplus = false
  // Guard: used on the loop's thread only.

  /// The request that is to be answered; without a method where its head could not be believed.
  nonisolated(unsafe) var current: (id: RequestID, method: HTTPMethod?)?
  // Guard: used on the loop's thread only.

  /// The previous request's header fields; once a head is read, the current one's.
  nonisolated(unsafe) var previousFields: [HTTPHeaders.Field] = []
  // Guard: used on the loop's thread only.

  /// The target with its query, which the library cuts off.
  nonisolated(unsafe) var target: [UInt8] = []
  // Guard: used on the loop's thread only.
  nonisolated(unsafe) var targetLength = 0
  // Guard: used on the loop's thread only.

  init(_ handle: OpaquePointer, _ loop: EventLoop) {
    unsafe self.handle = handle
    self.loop = loop
    let descriptor = unsafe cmhd_descriptor(handle)
    guarded = Mutex(Guarded(descriptor: descriptor))
    arrival = ConnectionInfo(on: descriptor, isEncrypted: loop.context.isEncrypted)
  }

  var context: ServerContext { loop.context }

  /// NOTIFY_CONNECTION, started.
  func open() {
    loop.countIn()
    let count = context.connections.insert(self)
    unsafe isSurplus = count > context.limit.served
    if count > context.limit.admitted { cut() }
  }

  /// NOTIFY_CONNECTION, closed: the last call.
  ///
  /// The descriptor is closed after it.
  func closed() {
    context.connections.remove(self)
    loop.countOut()
    // Whoever resumes this connection holds the lock until the library's call has returned, so
    // that the daemon outlives that call, too.
    _ = guarded.withLock { guarded in
      guarded.descriptor = -1
      return guarded.exchange.end()
    }
  }

  /// The stream may have something to say.
  ///
  /// Any thread, also after the end.
  func wake() {
    resume { $0.exchange.wake() }
  }

  /// The stream has given up on its peer.
  ///
  /// Any thread, also after the end.
  func abandon() {
    resume { guarded in
      let abandonment = guarded.exchange.abandon()
      if abandonment == .cut { guarded.cut(isDiscarding: true) }
      return abandonment == .resume
    }
  }

  /// The server stops: ends the stream, answers whoever still waits.
  ///
  /// Any thread.
  func close() {
    resume { $0.exchange.close() }
  }

  /// Resumes the connection where the state says so.
  func resume(where isNeeded: (inout Guarded) -> Bool) {
    let isResumed = guarded.withLock { guarded in
      guard isNeeded(&guarded) else { return false }
      // Under the lock: it cannot have ended. The call takes the daemon's list mutex, under which the
      // library calls nothing.
      unsafe MHD_resume_connection(handle)
      return true
    }
    if isResumed { loop.waker.wake() }
  }

  /// Ends the connection from outside; the loop notices at once.
  ///
  /// Any thread.
  /// - Parameter isDiscarding: what the kernel holds for the peer goes, too. It would otherwise try to
  ///   deliver that for as long as the peer takes a byte now and then.
  func cut(isDiscarding: Bool = false) {
    guarded.withLock { $0.cut(isDiscarding: isDiscarding) }
  }
}

/// Closing is to send RST, and nothing that still waits (Linux, socket(7), SO_LINGER).
func resetWhenClosed(_ descriptor: Int32) {
  var now = linger(l_onoff: 1, l_linger: 0)
  let size = socklen_t(MemoryLayout<linger>.size)
  _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, size)
}
