package import FusionHTTPMessages

/// The address on which a server listens, and the limits of its clients.
package struct ServerConfiguration: Sendable {
  /// An IPv4 or IPv6 address, or "localhost" (127.0.0.1).
  ///
  /// "::" takes IPv4 as well.
  package var host: String
  /// The port; 0 picks a free one.
  package var port: Int
  /// The path of a Unix socket to listen on instead.
  package var socketPath: String?
  /// A socket that listens already, used instead of both; the server owns it from its start on.
  package var inheritedSocket: Int32?
  /// The certificate and key; with them the server speaks TLS and nothing else.
  package var tls: TLSIdentity?
  /// Threads that serve connections; 0 is one for each processor that may be used.
  package var threads = 0
  /// Connections served at once; see ``MicrohttpdServer/effectiveConnectionLimit``.
  package var connectionLimit = 20_000
  /// The part of the process's open files that connections may use, up to 1.
  package var shareOfOpenFiles = 1.0
  /// Bytes that a connection may use for heads and buffers: the cost of an idle TLS stream, and the largest
  /// head that is read (431 beyond it).
  package var connectionMemory = 8192
  /// Bytes of unsent data that the kernel keeps for a connection, roughly; nil is the system's default.
  package var sendBuffer: Int?
  /// Whether event loops write streams to their sockets where they can; false leaves all streams to the library.
  var takesOverStreams = true
  /// The time that a connection may be silent, between requests too, before it is closed.
  package var idleTimeout: Duration = .seconds(30)
  /// The time from a request's first byte to the end of its head.
  package var headDeadline: Duration = .seconds(30)
  /// The time from the end of a request's head to the end of its body; of a body that is read as it arrives, the time
  /// in which a client may send it more slowly than ``slowestTransfer``.
  package var bodyDeadline: Duration = .seconds(60)
  /// The time in which a client may take a response, streams excepted, more slowly than ``slowestTransfer``.
  package var answerDeadline: Duration = .seconds(30)
  /// Bytes per second that a client has to take of a response, averaged over ``answerDeadline``, and to send of a body
  /// that is read as it arrives.
  package var slowestTransfer = 1024
  package var maxBodyBytes = 65_536
  /// Returns the most bytes of a body that the handler reads as it arrives, nil for one that is to come whole; asked
  /// with the heads of requests that have a body.
  ///
  /// Called on any thread; must not block. nil where no body is read so.
  package var streamedBody: (@Sendable (HTTPRequest) -> Int?)?
  /// Header fields added to every response; a response's own field of the same name wins.
  package var responseHeaders: [HTTPHeaders.Field] = []
  /// Makes the response to a request that does not reach the handler.
  ///
  /// Called on any thread; must not block.
  package var rejecting: @Sendable (RejectedRequest) -> HTTPResponse = { $0.problem.response }
  /// Receives the library's own messages, such as those about requests that it cannot parse.
  ///
  /// Called on any thread; must not block. The messages help debugging only.
  package var log: @Sendable (String) -> Void = { _ in }

  package init(host: String = "127.0.0.1", port: Int = 8080) {
    self.host = host
    self.port = port
  }

  /// Returns the bytes that a client has to take, or to send, within a time.
  func leastTransfer(within time: Duration) -> Int {
    Int(time.milliseconds) * max(0, slowestTransfer) / 1000
  }

  var loops: Int { threads > 0 ? threads : availableProcessors() }
}

/// A server's certificate and private key (RFC 8446 §4.4.2), in PEM.
package struct TLSIdentity: Sendable, Equatable {
  /// The certificate, followed by those that lead to a known authority.
  package var certificate: [UInt8]
  package var key: [UInt8]

  package init(certificate: [UInt8], key: [UInt8]) {
    self.certificate = certificate
    self.key = key
  }

  /// GnuTLS's priority string: TLS 1.2 and 1.3, ECDHE and AEAD only (RFC 9325 §4.2).
  ///
  /// Every session has forward secrecy: a key that leaks later decrypts nothing that was recorded.
  static let priorities =
    "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA:-GROUP-DH-ALL"
    + ":-CIPHER-ALL:+AES-256-GCM:+CHACHA20-POLY1305:+AES-128-GCM:-MAC-ALL:+AEAD:%SERVER_PRECEDENCE"
}
