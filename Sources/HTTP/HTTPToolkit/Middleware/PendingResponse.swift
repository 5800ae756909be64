package import FusionHTTPMessages

/// The response for which a request waits: its steps and its destination.
///
/// Called as a function, exactly once, on any thread.
package final class PendingResponse: Sendable {
  private let request: RequestContext
  private let middleware: Middleware
  private let responder: any HTTPResponder
  private let transform: (@Sendable (consuming HTTPResponse) -> HTTPResponse)?

  package convenience init(
    to request: borrowing HTTPRequest,
    at path: PathParameters?,
    through middleware: Middleware,
    _ responder: any HTTPResponder
  ) {
    let context = RequestContext(request, at: path, hasPages: middleware.hasPages)
    self.init(context, middleware, responder, nil)
  }

  private init(
    _ request: RequestContext,
    _ middleware: Middleware,
    _ responder: any HTTPResponder,
    _ transform: (@Sendable (consuming HTTPResponse) -> HTTPResponse)?
  ) {
    self.request = request
    self.middleware = middleware
    self.responder = responder
    self.transform = transform
  }

  /// Returns a pending response to the same request that transforms the response before its steps.
  ///
  /// The last transform is applied first.
  package func mapping(
    _ transform: @escaping @Sendable (consuming HTTPResponse) -> HTTPResponse
  ) -> PendingResponse {
    guard let later = self.transform else {
      return PendingResponse(request, middleware, responder, transform)
    }
    return PendingResponse(request, middleware, responder) { later(transform($0)) }
  }

  /// Returns a pending response to the same request, with its sender.
  package func from(_ sender: RequestSender?) -> PendingResponse {
    guard let identity = sender?.identity else { return self }
    var request = request
    request.identity = identity
    return PendingResponse(request, middleware, responder, transform)
  }

  package func callAsFunction(_ response: consuming HTTPResponse) {
    if let transform { response = transform(response) }
    middleware.finish(&response, to: request)
    responder(response)
  }

  /// Calls a function, at most once and on any thread, if the client leaves before it is answered.
  package func whenClientLeaves(_ act: @escaping @Sendable () -> Void) {
    responder.whenClientLeaves(act)
  }

  /// Calls a function that answers; if it throws a problem, answers with that.
  package func answer(_ body: () throws(Problem) -> Void) {
    do throws(Problem) {
      try body()
    } catch {
      self(error.response)
    }
  }
}
