package import FusionHTTPMessages
package import FusionHTTPToolkit
package import FusionSessions

/// A function that finds out who sends a request, nil if unknown, or why the request is refused.
///
/// Calls back once, during the call or after it; `sessions` takes requests for sessions, as ``SessionAPI`` does for
/// programs.
package typealias Authenticating =
  @Sendable (
    _ request: HTTPRequest,
    _ sessions: @escaping HTTPHandler,
    _ done: @escaping @Sendable (Result<RequestSender?, Problem>) -> Void
  ) -> Void

/// The settings of a ``SessionAPI``.
package struct SessionAPIOptions: Sendable {
  /// The number of streams that may be open.
  package var streams = 10_000
  package var access = Access()
  package var clients = ClientLimits()
  /// The path below which clients find the service.
  package var basePath = BasePath.root
  /// The time that a stream may be silent, for clients that ask.
  package var heartbeat = Duration.seconds(15)
  /// Whether responses say how long they took.
  package var isTiming = false
  /// The reader of stored versions; nil where no client may look at them.
  package var inspector: SessionInspector?
  /// The routes that the program adds.
  package var routes: [OwnRoute] = []
  /// The program's middleware around all requests; nil where there is none.
  package var around: RequestWrapper?
  /// Finds out who sends a request; nil where everybody is anonymous.
  package var authenticate: Authenticating?
  /// Whether the program's own function takes part in that, which may read any header.
  package var programReadsHeaders = false
  /// Whether those may have sessions who have not said who they are.
  package var allowsAnonymous = true
  /// Takes a record of each request; nil where requests are not logged.
  package var log: (@Sendable (RequestRecord) -> Void)?

  package init() {}
}
