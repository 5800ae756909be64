import CFusionGnuTLS

/// A client of TLS 1.2 and 1.3 that sends a single request and does not verify its peer's certificate.
///
/// Only for a peer on this machine: a process that could impersonate it could do worse.
package enum TLSClient {
  /// Sends a request and returns the beginning of the response.
  ///
  /// Blocks; the socket's timeouts (SO_RCVTIMEO, SO_SNDTIMEO) apply to each step.
  ///
  /// - Parameters:
  ///   - request: the request's bytes, at most one record.
  ///   - descriptor: a connected socket, which the caller closes.
  ///   - count: the maximum number of bytes to read.
  /// - Returns: the bytes read, fewer if the peer ends the connection; nil if the peer does not speak TLS, or is
  ///   silent.
  package static func answer(
    to request: [UInt8],
    on descriptor: Int32,
    atMost count: Int
  ) -> [UInt8]? {
    var session: gnutls_session_t?
    var credentials: gnutls_certificate_credentials_t?
    guard unsafe gnutls_init(&session, GNUTLS_CLIENT.rawValue) == 0, let session = unsafe session
    else { return nil }
    defer { unsafe gnutls_deinit(session) }
    guard unsafe gnutls_certificate_allocate_credentials(&credentials) == 0,
      let credentials = unsafe credentials
    else { return nil }
    defer { unsafe gnutls_certificate_free_credentials(credentials) }
    guard unsafe gnutls_set_default_priority(session) == 0,
      unsafe gnutls_credentials_set(
        session,
        GNUTLS_CRD_CERTIFICATE,
        UnsafeMutableRawPointer(credentials)
      ) == 0
    else { return nil }
    unsafe gnutls_transport_set_int2(session, descriptor, descriptor)
    guard repeating({ unsafe Int(gnutls_handshake(session)) }) == 0,
      repeating({ unsafe gnutls_record_send(session, request, request.count) })
        == request.count
    else { return nil }
    var answer: [UInt8] = []
    while answer.count < count {
      var bytes = [UInt8](repeating: 0, count: count - answer.count)
      let received = repeating {
        unsafe gnutls_record_recv(session, &bytes, bytes.count)
      }
      guard received > 0 else { return received == 0 ? answer : nil }
      answer += bytes.prefix(received)
    }
    return answer
  }

  /// Repeats the call while a signal interrupts it.
  private static func repeating(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      if result != Int(GNUTLS_E_INTERRUPTED) { return result }
    }
  }
}
