import FusionHTTPMessages
import Synchronization

/// The shared settings and flags of one server's connections; lives until the last of them is closed.
final class ServerContext: Sendable {
  let handler: HTTPHandler
  let maxBodyBytes: Int
  let streamedBody: (@Sendable (HTTPRequest) -> Int?)?
  /// The minimum number of bytes that a client must send within the deadline of a body that is read as it
  /// arrives.
  let leastUpload: Int
  let limit: ConnectionLimit
  let headers: FixedHeaders
  let idleTimeout: Milliseconds
  /// Whether clients connect over a Unix socket.
  let isLocal: Bool
  let isEncrypted: Bool
  /// Whether loops take over the sockets of streams from the library.
  let takesOverStreams: Bool
  let rejecting: @Sendable (RejectedRequest) -> HTTPResponse
  let log: @Sendable (String) -> Void
  /// The loops, which also retain this object; emptied when the server has stopped.
  let loops = EventLoops()
  /// The number of streams whose sockets the loops have taken over.
  let openStreams = Atomic(0)
  /// Whether every response closes its connection, because the server accepts no more.
  let isDraining = Atomic(false)
  /// Whether requests are kept from the handler.
  let isRefusing = Atomic(false)
  /// Whether streams end and nothing is suspended.
  let closing = Atomic(false)

  var isClosing: Bool { closing.load(ordering: .acquiring) }

  init(
    _ configuration: ServerConfiguration,
    limit: ConnectionLimit,
    isLocal: Bool,
    handler: @escaping HTTPHandler
  ) {
    self.handler = handler
    self.limit = limit
    self.isLocal = isLocal
    maxBodyBytes = configuration.maxBodyBytes
    streamedBody = configuration.streamedBody
    leastUpload = configuration.leastTransfer(within: configuration.bodyDeadline)
    headers = FixedHeaders(configuration.responseHeaders)
    idleTimeout = configuration.idleTimeout.milliseconds
    isEncrypted = configuration.tls != nil
    // Over TLS, a socket alone lacks the state that the library holds.
    takesOverStreams =
      configuration.takesOverStreams && !isEncrypted
      && LibraryVersion.canTakeOverStreams(LibraryVersion.current)
    rejecting = configuration.rejecting
    log = configuration.log
  }
}
