import CFusionMicrohttpd

/// The way of running a daemon: a thread of this module polls the daemon's epoll descriptor.
///
/// Defect of 0.9.75: on its own thread the library asks the kernel for 128 events, and if it gets 128 it
/// waits for more, without a limit, before it handles any. With external polling that second wait returns at
/// once.
enum ExternalPolling {
  static let flags = MHD_USE_EPOLL.rawValue | MHD_USE_NO_LISTEN_SOCKET.rawValue

  /// Handles the ready events, without waiting.
  static func run(_ daemon: OpaquePointer) {
    _ = unsafe MHD_run_wait(daemon, 0)
  }
}
