import CFusionMicrohttpd
import Glibc

/// The owner of one MHD_Daemon, from its start to the single call of ``stop()``.
///
/// The daemon has no thread and no listening socket: its loop's thread runs it (``ExternalPolling``), and is
/// woken when a connection is resumed.
@safe final class Daemon: Sendable {
  nonisolated(unsafe) private let handle: OpaquePointer
  // Guard: written once in init; passed to the library on the loop's thread, as `run` and `add` assert.
  /// The object behind the pointers for callbacks.
  private let callbacks: CallbackContext
  nonisolated(unsafe) private let logReceiver: UnsafeMutablePointer<cmhd_log_receiver>
  // Guard: written before the daemon runs, and only read until it is stopped.

  /// The key and the certificate, which the library borrows.
  private let identity: [CText]

  init?(_ configuration: ServerConfiguration, _ callbacks: CallbackContext) {
    // A peer that closes first must not end the process. Process-wide, as SIGPIPE_HANDLED_BY_APP requires.
    _ = signal(SIGPIPE, SIG_IGN)
    let context = callbacks.loop.context
    let cls = unsafe Unmanaged.passUnretained(callbacks).toOpaque()
    let receiver = UnsafeMutablePointer<cmhd_log_receiver>.allocate(capacity: 1)
    unsafe receiver.initialize(to: cmhd_log_receiver(receive: logMessage, context: cls))
    var options = unsafe [
      // Must be the first option.
      MHD_OptionItem(.EXTERNAL_LOGGER, cmhd_log_address(), receiver),
      // Every daemon admits more than the full number: at its own limit, the library leaves connections
      // waiting.
      MHD_OptionItem(.CONNECTION_LIMIT, context.limit.admitted + 64),
      MHD_OptionItem(.CONNECTION_MEMORY_LIMIT, configuration.connectionMemory),
      MHD_OptionItem(.CONNECTION_TIMEOUT, Int(context.daemonTimeout)),
      MHD_OptionItem(
        .NOTIFY_CONNECTION,
        address(of: notifyConnection as MHD_NotifyConnectionCallback),
        cls
      ),
      MHD_OptionItem(
        .NOTIFY_COMPLETED,
        address(of: notifyCompleted as MHD_RequestCompletedCallback),
        nil
      ),
      MHD_OptionItem(.URI_LOG_CALLBACK, address(of: beginRequest as URILogCallback), nil),
      MHD_OptionItem(.UNESCAPE_CALLBACK, address(of: leaveEscaped as UnescapeCallback), nil),
      MHD_OptionItem(.SIGPIPE_HANDLED_BY_APP, 1),
      MHD_OptionItem(.STRICT_FOR_CLIENT, 0),
    ]
    var flags =
      ExternalPolling.flags | MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_USE_ERROR_LOG.rawValue
    if context.takesOverStreams { flags |= MHD_USE_TURBO.rawValue }
    identity =
      configuration.tls.map { tls in
        [tls.key, tls.certificate, Array(TLSIdentity.priorities.utf8)].map { CText($0) }
      } ?? []
    let names: [MHD_OPTION] = [.HTTPS_MEM_KEY, .HTTPS_MEM_CERT, .HTTPS_PRIORITIES]
    for (name, text) in zip(names, identity) {
      flags |= MHD_USE_TLS.rawValue
      unsafe options.append(MHD_OptionItem(name, 0, text.start))
    }
    unsafe options.append(MHD_OptionItem(.END, 0))
    guard let handle = unsafe cmhd_start_daemon(flags, access, nil, &options) else {
      unsafe receiver.deallocate()
      return nil
    }
    unsafe self.handle = handle
    unsafe logReceiver = receiver
    self.callbacks = callbacks
  }

  /// A descriptor that is readable while a connection has work.
  var descriptor: Int32 { unsafe cmhd_epoll_descriptor(handle) }

  /// The time for which the daemon need not run; nil if unlimited.
  ///
  /// Ignores resumed connections.
  var timeout: Milliseconds? {
    var milliseconds: CUnsignedLongLong = 0
    return unsafe MHD_get_timeout(handle, &milliseconds) == .YES ? milliseconds : nil
  }

  /// Handles the ready work of its connections, without waiting.
  func run() {
    callbacks.loop.assertIsCurrent()
    unsafe ExternalPolling.run(handle)
  }

  /// Serves an accepted socket, which the library owns from now on.
  func add(_ socket: Int32) {
    callbacks.loop.assertIsCurrent()
    // A dummy, since nothing reads the address.
    var address = sockaddr()
    _ = unsafe MHD_add_connection(
      handle,
      socket,
      &address,
      socklen_t(MemoryLayout<sockaddr>.size)
    )
  }

  /// Closes every connection.
  ///
  /// No connection may be suspended, or the library aborts the process; see `ConnectionRegistry.close()`.
  func stop() {
    unsafe MHD_stop_daemon(handle)
    unsafe logReceiver.deallocate()
  }
}

extension MHD_OptionItem {
  fileprivate init(_ option: MHD_OPTION, _ value: Int, _ pointer: UnsafeMutableRawPointer? = nil) {
    unsafe self.init(option: option, value: value, ptr_value: pointer)
  }
}

/// Returns a callback as an integer, for the option array.
///
/// - Precondition: `Callback` is a C function's type.
private func address<Callback>(of callback: Callback) -> Int {
  unsafe unsafeBitCast(callback, to: Int.self)
}

/// The type of the URI log callback, for which the library's header has no name.
private typealias URILogCallback =
  @convention(c) (
    UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
  ) -> UnsafeMutableRawPointer?

/// The type of the unescape callback, for which the library's header has no name.
private typealias UnescapeCallback =
  @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?) -> Int
