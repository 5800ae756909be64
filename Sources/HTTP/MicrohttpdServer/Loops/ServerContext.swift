import FusionHTTPMessages
import Synchronization

/// The settings and flags that the connections of one server share; lives until the last of them is closed.
final class ServerContext: Sendable {
  let handler: HTTPHandler
  let maxBodyBytes: Int
  let streamedBody: (@Sendable (HTTPRequest) -> Int?)?
  /// Bytes of a body read as it arrives that a client has to send within the body's deadline.
  let leastUpload: Int
  let limit: ConnectionLimit
  let headers: FixedHeaders
  let idleTimeout: Milliseconds
  /// Whether clients connect over a Unix socket.
  let isLocal: Bool
  let isEncrypted: Bool
  /// Whether loops take the sockets of streams over from the library.
  let takesOverStreams: Bool
  let rejecting: @Sendable (RejectedRequest) -> HTTPResponse
  let log: @Sendable (String) -> Void
  /// The loops, which hold this object as well; emptied when the server has stopped.
  let loops = EventLoops()
  /// The number of streams whose sockets loops have taken over.
  let openStreams = Atomic(0)
  /// Whether every response closes its connection, as the server accepts no more.
  let isDraining = Atomic(false)
  /// Whether no more requests reach the handler.
  let isRefusing = Atomic(false)
  /// Whether streams end and nothing is suspended any more.
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
    // Over TLS, the library holds state that the socket alone lacks.
    takesOverStreams =
      configuration.takesOverStreams && !isEncrypted
      && LibraryVersion.canTakeOverStreams(LibraryVersion.current)
    rejecting = configuration.rejecting
    log = configuration.log
  }
}
