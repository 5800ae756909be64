package import FusionHTTPMessages

/// The address on which a server listens, and the limits for its clients.
package struct ServerConfiguration: Sendable {
  /// An IPv4 or IPv6 address, or "localhost" (127.0.0.1).
  ///
  /// "::" accepts IPv4 as well.
  package var host: String
  /// The port; 0 picks a free one.
  package var port: Int
  /// The path of a Unix socket to listen on instead.
  package var socketPath: String?
  /// A listening socket, used instead of both; the server owns it once started.
  package var inheritedSocket: Int32?
  /// The certificate and key; if set, the server speaks only TLS.
  package var tls: TLSIdentity?
  /// The number of threads that serve connections; 0 stands for one for each usable processor.
  package var threads = 0
  /// The number of connections served at once; see ``MicrohttpdServer/effectiveConnectionLimit``.
  package var connectionLimit = 20_000
  /// The fraction of the process's open files that connections may use, at most 1.
  package var shareOfOpenFiles = 1.0
  /// The number of bytes that a connection may use for heads and buffers: the cost of an idle TLS stream, and
  /// the maximum size of a head (431 beyond it).
  package var connectionMemory = 8192
  /// The approximate number of unsent bytes that the kernel keeps for a connection; nil is the system's
  /// default.
  package var sendBuffer: Int?
  /// Whether event loops write streams to their sockets if possible; false leaves all streams to the library.
  var takesOverStreams = true
  /// The time after which a silent connection is closed, also between requests.
  package var idleTimeout: Duration = .seconds(30)
  /// The time from a request's first byte to the end of its head.
  package var headDeadline: Duration = .seconds(30)
  /// The time from the end of a request's head to the end of its body; for a body that is read as it arrives,
  /// the time for which a client may send more slowly than ``slowestTransfer``.
  package var bodyDeadline: Duration = .seconds(60)
  /// The time for which a client may read a response, streams excepted, more slowly than ``slowestTransfer``.
  package var answerDeadline: Duration = .seconds(30)
  /// The minimum rate in bytes per second, averaged over ``answerDeadline``, at which a client must read a
  /// response, or send a body that is read as it arrives.
  package var slowestTransfer = 1024
  package var maxBodyBytes = 65_536
  /// Returns the limits of a body that the handler reads as it arrives, nil for a body that the handler needs as a
  /// whole; called with the head of each request that has a body.
  ///
  /// Called on any thread; must not block.
  package var streamedBody: @Sendable (HTTPRequest) -> IncomingBody.Limits? = { _ in nil }
  /// Header fields added to every response; a response's own field with the same name takes precedence.
  package var responseHeaders: [HTTPHeaders.Field] = []
  /// Creates the response to a request that does not reach the handler.
  ///
  /// Called on any thread; must not block.
  package var rejecting: @Sendable (RejectedRequest) -> HTTPResponse = { $0.problem.response }
  /// Receives the library's own messages, such as those about requests that it cannot parse.
  ///
  /// Called on any thread; must not block. The messages are only for debugging.
  package var log: @Sendable (String) -> Void = { _ in }

  package init(host: String = "127.0.0.1", port: Int = 8080) {
    self.host = host
    self.port = port
  }

  /// Returns the number of bytes that a client must read or send within a time.
  func leastTransfer(within time: Duration) -> Int {
    Int(time.milliseconds) * max(0, slowestTransfer) / 1000
  }

  var loops: Int { threads > 0 ? threads : availableProcessors() }
}

/// A server's certificate and private key (RFC 8446 §4.4.2), in PEM.
package struct TLSIdentity: Sendable, Equatable {
  /// The certificate, followed by the chain to a known authority.
  package var certificate: [UInt8]
  package var key: [UInt8]

  package init(certificate: [UInt8], key: [UInt8]) {
    self.certificate = certificate
    self.key = key
  }

  /// The GnuTLS priority string: TLS 1.2 and 1.3, ECDHE and AEAD only (RFC 9325 §4.2).
  ///
  /// Every session has forward secrecy: a leaked key does not decrypt recorded traffic.
  static let priorities =
    "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA:-GROUP-DH-ALL"
    + ":-CIPHER-ALL:+AES-256-GCM:+CHACHA20-POLY1305:+AES-128-GCM:-MAC-ALL:+AEAD:%SERVER_PRECEDENCE"
}
