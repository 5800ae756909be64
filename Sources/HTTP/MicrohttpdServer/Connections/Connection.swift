import CFusionMicrohttpd
import FusionHTTPMessages
import Glibc
import Synchronization

/// An accepted socket, from NOTIFY_CONNECTION's first call to its last; serves one request at a time.
///
/// Its parts are guarded differently: `guarded` contains what any thread may change, `stage` is read by the
/// deadline monitor, and `local` belongs to the loop's thread, on which the library makes all its calls for
/// the connection.
@safe final class Connection: Sendable {
  struct Guarded {
    var exchange = ExchangeState()
    /// The socket; -1 once the library may close it, since its number may then belong to another connection.
    var descriptor: Int32
    /// The function to call if the client leaves before the request is answered.
    var onLeaving: (@Sendable () -> Void)?
    /// The request whose body arrives, if its client may pause: a response does not wait for the end.
    var pausing: RequestID?
    /// Whether the response was sent before the end of the body.
    var isSentEarly = false

    func cut(isDiscarding: Bool) {
      guard descriptor >= 0 else { return }
      if isDiscarding { resetWhenClosed(descriptor) }
      _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }
  }

  /// The loop's progress in the current request.
  enum Step {
    case head
    case body
    /// The handler has the head, and the body is not yet requested.
    case opening
    /// The handler reads the body as it arrives.
    case uploading
    /// The body is too large or unwanted, and is read only to be discarded.
    case discarding(DiscardedBody)
    case handled
  }

  struct LoopState {
    var step = Step.head
    var request: HTTPRequest?
    /// The stream that the library writes.
    var reader: StreamReader?
    /// The stream whose socket a loop takes over once the head is sent.
    var successor: StreamSocket?
    var isHead = false
    var isChunking = false
    var isLast = false
    /// Whether the last response was sent before the body of its request was read.
    var leavesBody = false
    var isSurplus = false
    /// Whether the request has been suspended since the access handler's last call.
    var isSuspended = false
    /// The request that waits for its response; without a method if its head was refused.
    var current: (id: RequestID, method: HTTPMethod?)?
    /// The previous request's header fields; once a head is read, the current one's.
    var previousFields: [HTTPHeaders.Field] = []
    /// The target, if it has a query, which the library does not keep.
    var target: [UInt8] = []
    var targetLength = 0

    // Functions, as an optional chain behind `local` would copy all of this.

    /// Appends a part to the body, or begins to discard one that is longer than the limit.
    mutating func append(_ part: UnsafeBufferPointer<UInt8>, upTo limit: Int) {
      if (request?.body.count ?? 0) + part.count > limit {
        request = nil
        step = .discarding(DiscardedBody())
      } else {
        unsafe request?.body.append(contentsOf: part)
      }
    }

    mutating func fill(_ buffer: UnsafeMutableRawBufferPointer, isEnding: Bool) -> StreamReader
      .Outcome?
    {
      unsafe reader?.fill(buffer, isEnding: isEnding)
    }
  }

  let loop: EventLoop
  let registry: ConnectionRegistry
  nonisolated(unsafe) let handle: OpaquePointer
  // Guard: passed to the library on the loop's thread; on other threads only with `guarded` locked and in a
  // phase in which the connection is suspended.
  let guarded: Mutex<Guarded>
  /// The common facts of all requests of the connection.
  let info: ConnectionInfo
  let stage = Atomic(Stage(.fresh, since: coarseNow()))
  /// The connection's index in the registry; -1 if it is not registered.
  nonisolated(unsafe) var place = -1
  // Guard: the registry's lock.

  /// The progress of the response; over a Unix socket, the time since which the peer's data has ended.
  nonisolated(unsafe) var progress: Progress?
  // Guard: `cutIfLate`, which asserts that it is on the deadline monitor's queue, and what it calls.

  nonisolated(unsafe) var upload: Upload?
  // Guard: used on the loop's thread; on other threads only with `guarded` locked and in a phase in which the
  // connection waits for its response.

  nonisolated(unsafe) private var confined = LoopState()
  // Guard: `local`, which asserts that the loop's thread uses it.

  /// The parts that the loop's thread alone uses.
  var local: LoopState {
    @inline(__always) _read {
      loop.assertIsCurrent()
      yield unsafe confined
    }
    @inline(__always) _modify {
      loop.assertIsCurrent()
      yield unsafe &confined
    }
  }

  init(_ handle: OpaquePointer, _ loop: EventLoop, _ registry: ConnectionRegistry) {
    unsafe self.handle = handle
    self.loop = loop
    self.registry = registry
    let descriptor = unsafe cmhd_descriptor(handle)
    guarded = Mutex(Guarded(descriptor: descriptor))
    info = ConnectionInfo(of: descriptor, isEncrypted: loop.context.isEncrypted)
  }

  var context: ServerContext { loop.context }

  /// NOTIFY_CONNECTION, started.
  func open() {
    loop.countIn()
    let count = registry.insert(self)
    local.isSurplus = count > context.limit.served
    if count > context.limit.admitted { cut() }
  }

  /// NOTIFY_CONNECTION, closed: the last call; the library closes the descriptor after it.
  func closed() {
    registry.remove(self)
    loop.countOut()
    // A thread that resumes this connection holds the lock until the library's call returns, so the daemon
    // outlives that call.
    let (_, onLeaving) = guarded.withLock { guarded in
      if local.leavesBody || guarded.isSentEarly { LingeringSocket.begin(guarded.descriptor) }
      guarded.descriptor = -1
      return (guarded.exchange.end(), guarded.onLeaving.take())
    }
    onLeaving?()
  }

  /// Makes the library ask the stream for its next step.
  ///
  /// Any thread, even after the end.
  func wake() {
    resume { $0.exchange.wake() }
  }

  /// Ends the stream even if its peer does not read.
  ///
  /// Any thread, even after the end.
  func cancelStream() {
    resume { guarded in
      let action = guarded.exchange.cancelStream()
      if action == .cut { guarded.cut(isDiscarding: true) }
      return action == .resume
    }
  }

  /// Ends the stream, or answers the waiting request, when the server stops.
  ///
  /// Any thread.
  func close() {
    resume { $0.exchange.close() }
  }

  /// Suspends the connection until another thread resumes it.
  ///
  /// In the access handler, with `guarded` locked, so that a resume can only come later.
  func suspend() {
    local.isSuspended = true
    unsafe ResumedRequest.suspend(handle, idleTimeout: context.daemonTimeout)
  }

  /// Notes that the access handler is called, perhaps because the connection was resumed.
  func proceed() {
    guard local.isSuspended else { return }
    local.isSuspended = false
    let isUntimed = unsafe upload?.isUntimed == true
    unsafe ResumedRequest.proceed(handle, idleTimeout: isUntimed ? 0 : context.daemonTimeout)
  }

  /// Resumes the connection if `isNeeded` returns true.
  func resume(where isNeeded: (inout Guarded) -> Bool) {
    let isResumed = guarded.withLock { guarded in
      guard isNeeded(&guarded) else { return false }
      // Under the lock, so that the connection cannot have ended. The call takes the daemon's list mutex,
      // under which the library makes no calls to this code.
      unsafe MHD_resume_connection(handle)
      return true
    }
    if isResumed { loop.waker.wake() }
  }

  /// Shuts the socket down; the loop notices at once.
  ///
  /// Any thread.
  ///
  /// - Parameter isDiscarding: also drops the data that the kernel holds for the peer, and would otherwise
  ///   deliver for as long as the peer reads a byte now and then.
  func cut(isDiscarding: Bool = false) {
    guarded.withLock { $0.cut(isDiscarding: isDiscarding) }
  }
}

extension ConnectionInfo {
  /// Reads the address of a connected socket's peer.
  fileprivate init(of descriptor: Int32, isEncrypted: Bool) {
    self.init()
    if case .ip(let address, _) = SocketAddress(peerOf: descriptor) { client = address }
    self.isEncrypted = isEncrypted
  }
}
