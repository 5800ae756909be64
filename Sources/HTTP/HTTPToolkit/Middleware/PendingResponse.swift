import FusionHTTPMessages

/// A request's answer, while it is not given: what it passes on its way out, and where it goes.
///
/// Called as a function, exactly once, on any thread.
final class PendingAnswer: Sendable {
  private let request: RequestContext
  private let middleware: Middleware
  private let responder: any HTTPResponder
  /// Whether what was asked for may have been done, on a node that did not answer.
  private let isInDoubt: Bool

  init(
    to request: HTTPRequest,
    on match: RouteMatch?,
    through middleware: Middleware,
    _ responder: any HTTPResponder
  ) {
    self.request = middleware.context(of: request, on: match)
    self.middleware = middleware
    self.responder = responder
    isInDoubt = false
  }

  private init(inDoubt other: PendingAnswer) {
    request = other.request
    middleware = other.middleware
    responder = other.responder
    isInDoubt = true
  }

  /// The same, for a request that a node may have done which did not answer: who refuses it from here on
  /// cannot say that nothing was applied.
  var inDoubt: PendingAnswer { PendingAnswer(inDoubt: self) }

  func callAsFunction(_ response: consuming HTTPResponse) {
    if isInDoubt, [412, 429, 503, 507].contains(response.status) {
      response = Problem.storeInDoubt.response
    }
    middleware.finish(&response, to: request)
    responder(response)
  }
}
