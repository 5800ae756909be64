import CFusionMicrohttpd
import Glibc

/// Owner of one MHD_Daemon, from its start to the single call of ``stop()``.
///
/// It has no thread, no socket to listen on and no way to be woken: its loop's thread runs it, and is
/// woken where a connection was resumed. (With a thread of its own the library, 0.9.75, waits for more
/// events where the kernel has given it as many as it asked for, before it handles any.)
@safe final class Daemon: Sendable {
  nonisolated(unsafe) private let handle: OpaquePointer
  // Guard: written once in init; passed to the library on the loop's thread alone.
  /// What the callbacks find under the pointers they are given.
  private let loop: EventLoop
  nonisolated(unsafe) private let logReceiver: UnsafeMutablePointer<cmhd_log_receiver>
  // Guard: written before the daemon runs, read by it until it is stopped.

  /// The key and the certificate, which the library is only lent.
  private let identity: [CText]

  init?(_ configuration: MicrohttpdServer.Configuration, _ loop: EventLoop) {
    // A peer that closes first must not end the process. Process-wide, as the option below asks.
    _ = signal(SIGPIPE, SIG_IGN)
    let cls = unsafe Unmanaged.passUnretained(loop).toOpaque()
    let receiver = UnsafeMutablePointer<cmhd_log_receiver>.allocate(capacity: 1)
    unsafe receiver.initialize(to: cmhd_log_receiver(receive: logMessage, context: cls))
    var options = unsafe [
      // Must be the first.
      MHD_OptionItem(.EXTERNAL_LOGGER, cmhd_log_address(), receiver),
      // Each loop gets the full number and more, so that ours is always reached first.
      MHD_OptionItem(.CONNECTION_LIMIT, loop.context.limit.admitted + 64),
      MHD_OptionItem(.CONNECTION_MEMORY_LIMIT, configuration.connectionMemory),
      MHD_OptionItem(.CONNECTION_TIMEOUT, Int(configuration.idleTimeout.milliseconds + 999) / 1000),
      MHD_OptionItem(.NOTIFY_CONNECTION, address(of: notifyConnection), cls),
      MHD_OptionItem(.NOTIFY_COMPLETED, address(of: notifyCompleted), nil),
      MHD_OptionItem(.URI_LOG_CALLBACK, address(of: beginRequest), nil),
      MHD_OptionItem(.UNESCAPE_CALLBACK, address(of: leaveEscaped), nil),
      MHD_OptionItem(.SIGPIPE_HANDLED_BY_APP, 1),
      MHD_OptionItem(.STRICT_FOR_CLIENT, 0),
    ]
    var flags =
      MHD_USE_EPOLL.rawValue | MHD_USE_NO_LISTEN_SOCKET.rawValue
      | MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_USE_ERROR_LOG.rawValue
    if loop.context.takesOverStreams { flags |= MHD_USE_TURBO.rawValue }
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
    self.loop = loop
  }

  /// Readable where one of its connections has something to do.
  var descriptor: Int32 { unsafe cmhd_epoll_descriptor(handle) }

  /// How long it may go without being run, whatever happens; nil is for ever.
  ///
  /// It knows nothing of connections that were resumed.
  var timeout: Milliseconds? {
    var milliseconds: CUnsignedLongLong = 0
    return unsafe MHD_get_timeout(handle, &milliseconds) == .YES ? milliseconds : nil
  }

  /// Does what there is to do for its connections, and waits for nothing.
  func run() {
    _ = unsafe MHD_run_wait(handle, 0)
  }

  /// Serves an accepted socket, which belongs to the library from here on.
  func add(_ socket: Int32) {
    // Nobody asks the library for it.
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
  /// No connection may be suspended, or the library aborts the process; see `Connections.close()`.
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

// The option array carries callbacks as integers; one function per signature keeps them typed.

private func address(
  of callback:
    @convention(c) (
      UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
      MHD_ConnectionNotificationCode
    ) -> Void
) -> Int { unsafe unsafeBitCast(callback, to: Int.self) }

private func address(
  of callback:
    @convention(c) (
      UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
      MHD_RequestTerminationCode
    ) -> Void
) -> Int { unsafe unsafeBitCast(callback, to: Int.self) }

private func address(
  of callback:
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
    ) -> UnsafeMutableRawPointer?
) -> Int { unsafe unsafeBitCast(callback, to: Int.self) }

private func address(
  of callback:
    @convention(c) (
      UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?
    ) -> Int
) -> Int { unsafe unsafeBitCast(callback, to: Int.self) }
