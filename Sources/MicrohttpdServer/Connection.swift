import CMicrohttpd
import Glibc
import HTTPMessages
import Synchronization

/// One accepted socket, from NOTIFY_CONNECTION's first call to its last, one request at a time.
///
/// Three parts, each with a guard of its own: `guarded` for what any thread may change, `stage` for
/// what the sweeper reads, and the rest for the worker thread to which the library binds a
/// connection for life; every call of the library's for this connection comes on that thread.
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

  /// Where the worker stands in the current request.
  enum Step {
    case head
    case body
    /// The body was too large and is read only to be thrown away; so much of it so far.
    case discarding(Int)
    case handled
  }

  let context: ServerContext
  nonisolated(unsafe) let handle: OpaquePointer
  // Guard: passed to the library on the worker thread, and elsewhere only with `guarded` held and its
  // phase saying that the connection is suspended.
  let guarded: Mutex<Guarded>
  let stage = Atomic(Stage(.fresh, since: coarseNow()))
  nonisolated(unsafe) var place = 0
  // Guard: the lock of `Connections`.

  /// What the sweeper knows of how fast the answer is being taken.
  nonisolated(unsafe) var progress: Progress?
  // Guard: used on the sweeper's queue only.

  nonisolated(unsafe) var step = Step.head
  // Guard: used on the worker thread only.
  nonisolated(unsafe) var request: HTTPRequest?
  // Guard: used on the worker thread only.
  nonisolated(unsafe) var reader: StreamReader?
  // Guard: used on the worker thread only.
  nonisolated(unsafe) var isHead = false
  // Guard: used on the worker thread only.
  nonisolated(unsafe) var isChunking = false
  // Guard: used on the worker thread only.
  nonisolated(unsafe) var isLast = false
  // Guard: used on the worker thread only.
  nonisolated(unsafe) var isSurplus = false
  // Guard: used on the worker thread only.

  /// The request that is to be answered; without a method where its head could not be believed.
  nonisolated(unsafe) var current: (id: RequestID, method: HTTPMethod?)?
  // Guard: used on the worker thread only.

  /// The previous request's header fields; once a head is read, the current one's.
  nonisolated(unsafe) var previousFields: [HTTPHeaders.Field] = []
  // Guard: used on the worker thread only.

  /// The target with its query, which the library cuts off.
  nonisolated(unsafe) var target: [UInt8] = []
  // Guard: used on the worker thread only.
  nonisolated(unsafe) var targetLength = 0
  // Guard: used on the worker thread only.

  init(_ handle: OpaquePointer, _ context: ServerContext) {
    unsafe self.handle = handle
    self.context = context
    guarded = unsafe Mutex(Guarded(descriptor: cmhd_descriptor(handle)))
  }

  /// NOTIFY_CONNECTION, started.
  func open() {
    let count = context.connections.insert(self)
    unsafe isSurplus = count > context.limit.served
    if count > context.limit.admitted { cut() }
  }

  /// NOTIFY_CONNECTION, closed: the last call.
  ///
  /// The descriptor is closed after it.
  func closed() {
    context.connections.remove(self)
    // Whoever resumes this connection holds the lock until the library's call has returned, so
    // that the daemon outlives that call, too.
    _ = guarded.withLock { guarded in
      guarded.descriptor = -1
      return guarded.exchange.end()
    }
  }

  /// An answer from the handler.
  ///
  /// Any thread; only the first for a request counts.
  func answer(_ response: HTTPResponse) {
    guarded.withLock { guarded in
      // The only library call here takes the worker's list mutex, under which it calls nothing.
      if guarded.exchange.answer(response) { unsafe MHD_resume_connection(handle) }
    }
  }

  /// The stream may have something to say.
  ///
  /// Any thread, also after the end.
  func wake() {
    guarded.withLock { guarded in
      if guarded.exchange.wake() { unsafe MHD_resume_connection(handle) }
    }
  }

  /// The stream has given up on its peer.
  ///
  /// Any thread, also after the end.
  func abandon() {
    guarded.withLock { guarded in
      switch guarded.exchange.abandon() {
      case .resume: unsafe MHD_resume_connection(handle)
      case .cut: guarded.cut(isDiscarding: true)
      case .nothing: break
      }
    }
  }

  /// The server stops: ends the stream, answers whoever still waits.
  ///
  /// Any thread.
  func close() {
    guarded.withLock { guarded in
      if guarded.exchange.close() { unsafe MHD_resume_connection(handle) }
    }
  }

  /// Ends the connection from outside; the worker notices at once.
  ///
  /// Any thread.
  /// - Parameter isDiscarding: what the kernel holds for the peer goes, too. It would otherwise try to
  ///   deliver that for as long as the peer takes a byte now and then.
  func cut(isDiscarding: Bool = false) {
    guarded.withLock { $0.cut(isDiscarding: isDiscarding) }
  }
}

/// Closing is to send RST, and nothing that still waits (Linux, socket(7), SO_LINGER).
private func resetWhenClosed(_ descriptor: Int32) {
  var now = linger(l_onoff: 1, l_linger: 0)
  let size = socklen_t(MemoryLayout<linger>.size)
  _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, size)
}
