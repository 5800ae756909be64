import CFusionMicrohttpd

/// A request whose connection was suspended; after a resume, the library serves it before it reads from the socket.
///
/// Defect of 0.9.75: the library reads first. If the client has half-closed the connection, it ends the request without a
/// response, although all of it has arrived. Each run of the daemon serves connections whose timeout differs from the
/// daemon's before it reads from any (MHD_epoll), so a suspended connection has such a timeout.
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
