import FusionHTTPMessages
import Synchronization

/// What the connections of one server share; it lives until the last of them is closed.
final class ServerContext: Sendable {
  let handler: HTTPHandler
  let maxBodyBytes: Int
  let limit: ConnectionLimit
  let headers: FixedHeaders
  let deadlines: Deadlines
  let idleTimeout: Milliseconds
  /// Whether its clients come over a Unix socket.
  let isLocal: Bool
  /// Whether loops take the sockets of streams over from the library.
  let takesOverStreams: Bool
  let isEncrypted: Bool
  let rejecting: @Sendable (RejectedRequest) -> HTTPResponse
  let log: @Sendable (String) -> Void
  let connections = Connections()
  /// They have this object, too, and are let go of when the server has stopped.
  let loops = EventLoops()
  /// No new connections; answers close the ones that are there.
  let isDraining = Atomic(false)
  /// No request goes to the handler any more.
  let isRefusing = Atomic(false)

  init(
    _ configuration: MicrohttpdServer.Configuration,
    limit: ConnectionLimit,
    isLocal: Bool,
    handler: @escaping HTTPHandler
  ) {
    self.handler = handler
    self.limit = limit
    self.isLocal = isLocal
    maxBodyBytes = configuration.maxBodyBytes
    headers = FixedHeaders(configuration.responseHeaders)
    deadlines = Deadlines(
      head: configuration.headDeadline,
      body: configuration.bodyDeadline,
      answer: configuration.answerDeadline,
      slowestAnswer: configuration.slowestAnswer
    )
    idleTimeout = configuration.idleTimeout.milliseconds
    // Of a TLS connection the socket is not all.
    takesOverStreams =
      configuration.takesOverStreams && configuration.tls == nil
      && Library.isProven(Library.version)
    isEncrypted = configuration.tls != nil
    rejecting = configuration.rejecting
    log = configuration.log
  }
}
