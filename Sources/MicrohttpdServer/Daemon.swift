import CMicrohttpd
import Glibc

/// Owner of one MHD_Daemon, from its start to the single call of ``stop()``.
@safe final class Daemon: Sendable {
  nonisolated(unsafe) private let handle: OpaquePointer
  // Guard: written once in init; passed to the library by `stop()` alone, which its owner calls once.
  /// What the callbacks find under the pointers they are given.
  private let context: ServerContext
  nonisolated(unsafe) private let logReceiver: UnsafeMutablePointer<cmhd_log_receiver>
  // Guard: written before the library has threads, read by it until they are joined.

  /// The key and the certificate, which the library is only lent.
  private let identity: [CText]

  /// Starts the library's threads on `socket`, which then belongs to the library; also if starting
  /// fails, since it has closed it by then.
  init?(
    _ configuration: MicrohttpdServer.Configuration,
    _ socket: ListeningSocket,
    _ context: ServerContext
  ) {
    // A peer that closes first must not end the process. Process-wide, as the option below asks.
    _ = signal(SIGPIPE, SIG_IGN)
    let cls = unsafe Unmanaged.passUnretained(context).toOpaque()
    let workers = configuration.workers
    let receiver = UnsafeMutablePointer<cmhd_log_receiver>.allocate(capacity: 1)
    unsafe receiver.initialize(to: cmhd_log_receiver(receive: logMessage, context: cls))
    var options = unsafe [
      // Must be the first.
      MHD_OptionItem(.EXTERNAL_LOGGER, cmhd_log_address(), receiver),
      MHD_OptionItem(.LISTEN_SOCKET, Int(socket.descriptor)),
      // The library splits the limit between its workers, which accept unevenly: each gets the
      // full number and more, so that ours is always reached first.
      MHD_OptionItem(.CONNECTION_LIMIT, workers * (context.limit.admitted + 64)),
      MHD_OptionItem(.CONNECTION_MEMORY_LIMIT, configuration.connectionMemory),
      MHD_OptionItem(.CONNECTION_TIMEOUT, Int(configuration.idleTimeout.milliseconds + 999) / 1000),
      MHD_OptionItem(.NOTIFY_CONNECTION, address(of: notifyConnection), cls),
      MHD_OptionItem(.NOTIFY_COMPLETED, address(of: notifyCompleted), nil),
      MHD_OptionItem(.URI_LOG_CALLBACK, address(of: beginRequest), nil),
      MHD_OptionItem(.UNESCAPE_CALLBACK, address(of: leaveEscaped), nil),
      MHD_OptionItem(.SIGPIPE_HANDLED_BY_APP, 1),
      MHD_OptionItem(.STRICT_FOR_CLIENT, 0),
    ]
    // A pool of one is refused with a warning; without a pool there is one thread.
    if workers > 1 { unsafe options.append(MHD_OptionItem(.THREAD_POOL_SIZE, workers)) }
    var flags =
      MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
      | MHD_USE_ERROR_LOG.rawValue
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
    self.context = context
  }

  /// Closes every connection and joins the library's threads: blocks, and never on one of those.
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
