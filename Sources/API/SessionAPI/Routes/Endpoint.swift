import FusionHTTPMessages
import FusionSessions

/// One method of a resource: what it does, and what OpenAPI says of it.
///
/// A class, so that to find one copies nothing.
final class Endpoint: Sendable {
  let method: HTTPMethod
  let operation: Operation
  /// The sessions that are to be awake before it does anything.
  let awakening: Awakening
  let handler: Handler

  /// Answers once, during the call or after it, or throws what is wrong.
  typealias Handler =
    @Sendable (SessionAPI, PathParameter, HTTPRequest, PendingAnswer) throws(Problem) -> Void

  /// What is answered where one of those sessions cannot be woken.
  let refusal: Refusal

  typealias Refusal =
    @Sendable (SessionAPI, HTTPRequest, WakeFailure) throws(Problem) -> HTTPResponse

  enum Awakening {
    case none
    /// The one in the path, if the path has one.
    case pathSession
    /// The same for a stream: where there are relays, they see to it.
    case followedSession
    /// For a stream, too, those that the query names, `session=…` each.
    case querySessions
    /// The one that a page shows, if the request is for a page.
    case shownSession
  }

  init(
    _ method: HTTPMethod,
    _ operation: Operation,
    awakening: Awakening = .pathSession,
    refusal: @escaping Refusal = { _, _, failure throws(Problem) in throw Problem(failure) },
    _ handler: @escaping Handler
  ) {
    self.method = method
    self.operation = operation
    self.awakening = awakening
    self.refusal = refusal
    self.handler = handler
  }

  /// Those of the sessions that are to be awake for a request, which are not.
  func sleeping(
    of request: HTTPRequest,
    _ parameter: PathParameter,
    in api: SessionAPI
  ) -> [SessionID] {
    let host = api.host
    return switch (awakening, parameter) {
    case (.pathSession, .session(let id?)): host.isAsleep(id) ? [id] : []
    case (.followedSession, _) where api.relays != nil: []
    case (.querySessions, _) where api.relays != nil: []
    case (.followedSession, .session(let id?)): host.isAsleep(id) ? [id] : []
    case (.querySessions, _):
      request.target.query.filter { $0.name == "session" }.compactMap { SessionID($0.value) }
        .filter(host.isAsleep)
    case (.shownSession, _):
      api.shownSession(by: request.target).map { host.isAsleep($0) ? [$0] : [] } ?? []
    default: []
    }
  }
}
