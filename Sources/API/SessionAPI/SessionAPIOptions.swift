package import FusionHTTPMessages
package import FusionHTTPToolkit
package import FusionSessions

/// Authenticates the sender of a request: nil for an anonymous one; a problem refuses the request.
///
/// Calls back once, before or after it returns; `sessions` accepts requests for sessions, like ``SessionAPI``
/// for programs.
package typealias Authenticating =
  @Sendable (
    _ request: HTTPRequest,
    _ sessions: @escaping HTTPHandler,
    _ done: @escaping @Sendable (Result<RequestSender?, Problem>) -> Void
  ) -> Void

/// The settings of a ``SessionAPI``.
package struct SessionAPIOptions: Sendable {
  /// The maximum number of open streams.
  package var streams = 10_000
  /// The maximum number of bytes of an Input that is sent as a line.
  package var bodyLimit = 65_536
  package var access = AccessPolicy()
  package var clients = ClientLimits()
  /// The path prefix under which clients find the service.
  package var basePath = BasePath.root
  /// The time for which a stream may be silent, as clients are told.
  package var heartbeat = Duration.seconds(15)
  /// Whether responses report their duration.
  package var isTiming = false
  /// The reader of stored versions; nil if clients may not read them.
  package var inspector: SessionInspector?
  /// The routes that the program adds.
  package var routes: [ProgramRoute] = []
  /// The program's middleware around all requests; nil without any.
  package var wrapper: RequestWrapper?
  /// Holds requests for sessions and routes back until the program's jobs at the start are done; nil without any.
  package var startGate: StartGate?
  /// Authenticates the sender of a request; nil if all senders are anonymous.
  package var authenticate: Authenticating?
  /// Whether the program's own function takes part in authentication, and may read any header.
  package var programReadsHeaders = false
  /// Whether anonymous senders may have sessions.
  package var allowsAnonymous = true
  /// Takes a record of each request; nil if requests are not logged.
  package var log: (@Sendable (RequestRecord) -> Void)?

  package init() {}
}
