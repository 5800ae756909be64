import CFusionMicrohttpd

/// A request that its connection is suspended for, and that the library serves before the socket once that is resumed.
///
/// Defect of 0.9.75: the library reads from a resumed connection's socket first. If the client has half-closed it, the
/// library ends the request without a response, although all of it has arrived. Each run serves the connections with
/// their own timeout before it reads from any (MHD_epoll), so a suspended connection has one.
enum ResumedRequest {
  /// Suspends a connection, in a call of the access handler.
  static func suspend(_ connection: OpaquePointer, idleTimeout seconds: CUnsignedInt) {
    _ = unsafe cmhd_set_timeout(connection, seconds + 1)
    unsafe MHD_suspend_connection(connection)
  }

  /// Gives a connection the daemon's timeout again, in the first call of the access handler after it was resumed.
  ///
  /// Otherwise each run would look at it.
  static func proceed(_ connection: OpaquePointer, idleTimeout seconds: CUnsignedInt) {
    _ = unsafe cmhd_set_timeout(connection, seconds)
  }
}
