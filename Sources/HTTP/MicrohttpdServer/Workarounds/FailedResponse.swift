import CFusionMicrohttpd

/// A way to make the library close a connection whose response failed (MHD_CONTENT_READER_END_WITH_ERROR).
///
/// Defect of 0.9.75: with MHD_USE_TURBO the library closes such a connection only when it next looks at it,
/// and does not ask to be run for that. Each run looks at all connections with their own timeout; of the
/// others only at those that have been silent longest (MHD_epoll).
enum FailedResponse {
  /// Makes the next run of the daemon close the connection; the caller must wake its loop.
  static func closeInNextRun(_ connection: OpaquePointer, idleTimeout milliseconds: UInt64) {
    _ = unsafe cmhd_set_timeout(connection, CUnsignedInt(clamping: milliseconds / 1000 + 2))
  }
}
