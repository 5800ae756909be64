package import FusionHTTPMessages

extension MicrohttpdServer {
  /// Where to listen, and what a client may cost.
  package struct Configuration: Sendable {
    /// An IPv4 or IPv6 address, or "localhost" (127.0.0.1).
    ///
    /// "::" takes IPv4 as well.
    package var host: String
    /// 0 picks a free one.
    package var port: Int
    /// The path of a Unix socket to listen on instead.
    package var socketPath: String?
    /// A socket that listens already, instead of both: the server's from its start on.
    package var inheritedSocket: Int32?
    /// Where there is one, TLS is spoken, and nothing else.
    package var tls: TLSIdentity?
    /// Threads that serve connections; 0 is one for each processor that may be used.
    package var threads = 0
    /// Connections served at once; see ``MicrohttpdServer/effectiveConnectionLimit``.
    package var connectionLimit = 20_000
    /// The part of the process's open files that they may have, up to 1; the rest is for connections of others.
    package var shareOfOpenFiles = 1.0
    /// Bytes that a connection may use for heads and buffers: the price of an idle stream, and the
    /// largest head that is read (431 beyond it).
    package var connectionMemory = 8192
    /// Bytes that the kernel keeps of what a client has not taken, about; nil is as the system has it.
    package var sendBuffer: Int?
    /// Whether the sockets of streams are taken over from the library, where that is possible.
    package var takesOverStreams = true
    /// After so much silence a connection is closed, one that rests between requests included.
    package var idleTimeout: Duration = .seconds(30)
    /// From a request's first byte to the end of its head.
    package var headDeadline: Duration = .seconds(30)
    /// From the end of a request's head to the end of its body.
    package var bodyDeadline: Duration = .seconds(60)
    /// How long an answer, other than a stream, may be on its way at less than ``slowestAnswer``.
    package var answerDeadline: Duration = .seconds(30)
    /// Bytes per second that a client has to take of its answer, on the average of an
    /// ``answerDeadline``.
    package var slowestAnswer = 1024
    package var maxBodyBytes = 65_536
    /// Added to every answer formed here; a response's own field of the same name wins.
    package var responseHeaders: [HTTPHeaders.Field] = []
    /// Makes the answer to a request that the handler does not answer.
    ///
    /// Any thread; must not block.
    package var rejecting: @Sendable (RejectedRequest) -> HTTPResponse = { $0.problem.response }
    /// Takes the library's own messages, such as requests that it could not read.
    ///
    /// Any thread; must not block. They are of use for debugging only.
    package var log: @Sendable (String) -> Void = { _ in }

    package init(host: String = "127.0.0.1", port: Int = 8080) {
      self.host = host
      self.port = port
    }

    var loops: Int { threads > 0 ? threads : processors() }
  }
}
