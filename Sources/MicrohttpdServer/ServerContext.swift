import HTTPMessages
import Synchronization

/// What the connections of one server share; it lives until the last of them is closed.
final class ServerContext: Sendable {
  let handler: HTTPHandler
  let maxBodyBytes: Int
  let limit: ConnectionLimit
  let headers: FixedHeaders
  let deadlines: Deadlines
  let rejecting: @Sendable (RejectedRequest) -> HTTPResponse
  let log: @Sendable (String) -> Void
  let connections = Connections()
  /// No new connections; answers close the ones that are there.
  let isDraining = Atomic(false)
  /// No request goes to the handler any more.
  let isRefusing = Atomic(false)

  init(
    _ configuration: MicrohttpdServer.Configuration,
    limit: ConnectionLimit,
    handler: @escaping HTTPHandler
  ) {
    self.handler = handler
    self.limit = limit
    maxBodyBytes = configuration.maxBodyBytes
    headers = FixedHeaders(configuration.responseHeaders)
    deadlines = Deadlines(
      head: configuration.headDeadline,
      body: configuration.bodyDeadline,
      answer: configuration.answerDeadline,
      slowestAnswer: configuration.slowestAnswer
    )
    rejecting = configuration.rejecting
    log = configuration.log
  }
}
