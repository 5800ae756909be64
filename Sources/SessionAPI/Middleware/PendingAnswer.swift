import FusionHTTPMessages

/// A request's answer, while it is not given: what it passes on its way out, and where it goes.
///
/// Called as a function, exactly once, on any thread.
final class PendingAnswer: Sendable {
  private let request: RequestContext
  private let middleware: Middleware
  private let responder: any HTTPResponder

  init(
    to request: HTTPRequest,
    on match: RouteMatch?,
    through middleware: Middleware,
    _ responder: any HTTPResponder
  ) {
    self.request = middleware.context(of: request, on: match)
    self.middleware = middleware
    self.responder = responder
  }

  func callAsFunction(_ response: consuming HTTPResponse) {
    middleware.finish(&response, to: request)
    responder(response)
  }
}
