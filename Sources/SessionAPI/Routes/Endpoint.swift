import HTTPMessages
import Sessions

/// One method of a resource: what it does, and what OpenAPI says of it.
///
/// A class, so that to find one copies nothing.
final class Endpoint: Sendable {
  let method: HTTPMethod
  let operation: Operation
  /// The sessions that are to be awake before it does anything.
  let awakening: Awakening
  private let handler: Handler

  enum Awakening {
    case none
    /// The one in the path.
    case pathSession
    /// Those that the query names, `session=…` each.
    case querySessions
  }

  /// Answers once, during the call or after it, or throws what is wrong.
  private enum Handler: Sendable {
    case plain(@Sendable (SessionAPI, HTTPRequest, PendingAnswer) throws(Problem) -> Void)
    case named(@Sendable (SessionAPI, String, HTTPRequest, PendingAnswer) throws(Problem) -> Void)
    case session(
      @Sendable (SessionAPI, SessionID, HTTPRequest, PendingAnswer) throws(Problem) -> Void
    )
  }

  private init(
    _ method: HTTPMethod,
    _ operation: Operation,
    _ awakening: Awakening,
    _ handler: Handler
  ) {
    self.method = method
    self.operation = operation
    self.awakening = awakening
    self.handler = handler
  }

  /// Of a path without a parameter.
  static func on(
    _ method: HTTPMethod,
    _ operation: Operation,
    awakening: Awakening = .none,
    _ handler:
      @escaping @Sendable (SessionAPI, HTTPRequest, PendingAnswer) throws(Problem) ->
      Void
  ) -> Endpoint {
    Endpoint(method, operation, awakening, .plain(handler))
  }

  /// Of a path with `{name}`.
  static func onNamed(
    _ method: HTTPMethod,
    _ operation: Operation,
    _ handler:
      @escaping @Sendable (SessionAPI, String, HTTPRequest, PendingAnswer)
      throws(Problem) -> Void
  ) -> Endpoint {
    Endpoint(method, operation, .none, .named(handler))
  }

  /// Of a path with `{id}`; the session is awake, unless that is not asked for.
  static func onSession(
    _ method: HTTPMethod,
    _ operation: Operation,
    awakening: Awakening = .pathSession,
    _ handler:
      @escaping @Sendable (SessionAPI, SessionID, HTTPRequest, PendingAnswer)
      throws(Problem) -> Void
  ) -> Endpoint {
    Endpoint(method, operation, awakening, .session(handler))
  }

  func handle(
    _ api: SessionAPI,
    _ parameter: PathParameter,
    _ request: HTTPRequest,
    _ respond: PendingAnswer
  ) throws(Problem) {
    switch (handler, parameter) {
    case (.plain(let handle), _): try handle(api, request, respond)
    case (.named(let handle), .name(let name)): try handle(api, name, request, respond)
    case (.session(let handle), .session(let id?)): try handle(api, id, request, respond)
    case (.session, .session(nil)): throw .unknownSession
    case (.named, _), (.session, _): throw .notFound
    }
  }

  /// Those of the sessions that are to be awake for a request, which are not.
  func sleeping(
    of request: HTTPRequest,
    _ parameter: PathParameter,
    in host: SessionHost
  ) -> [SessionID] {
    switch (awakening, parameter) {
    case (.pathSession, .session(let id?)): host.isAsleep(id) ? [id] : []
    case (.querySessions, _):
      request.target.query.filter { $0.name == "session" }.compactMap { SessionID($0.value) }
        .filter(host.isAsleep)
    default: []
    }
  }
}
