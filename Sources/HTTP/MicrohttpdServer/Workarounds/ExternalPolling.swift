import CFusionMicrohttpd

/// The way in which a daemon is run: by a thread of this target, which polls the daemon's epoll descriptor.
///
/// Defect of 0.9.75: with a thread of its own the library asks the kernel for 128 events, and if there are 128 it
/// waits for more, without a limit, before it handles any. With external polling that second wait returns at once.
enum ExternalPolling {
  static let flags = MHD_USE_EPOLL.rawValue | MHD_USE_NO_LISTEN_SOCKET.rawValue

  /// Handles what is ready, and waits for nothing.
  static func run(_ daemon: OpaquePointer) {
    _ = unsafe MHD_run_wait(daemon, 0)
  }
}
