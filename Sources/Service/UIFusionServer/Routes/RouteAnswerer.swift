import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessionAPI

/// Runs the handlers of routes, and makes answers of what they return or throw.
struct RouteAnswerer: Sendable {
  /// Changes the login of a request's browser; returns the value of `Set-Cookie`.
  let changeLogin: @Sendable (Response.Login, HTTPRequest) throws -> String
  let executor: (any TaskExecutor)?
  let log: Log
  let running: RunningRoutes

  /// Runs a handler in a task, which it returns; `respond` is given its answer.
  ///
  /// An ``HTTPError`` is answered with its problem, any other error with 500.
  @discardableResult
  func answer(
    _ request: Request,
    _ handler: @escaping RouteHandler,
    _ respond: PendingResponse
  ) -> Task<Void, Never> {
    running.run(on: executor) {
      var response = await response(to: request, handler)
      if request.dependsOnSender { response.headers.keepPrivate() }
      respond(response)
    }
  }

  private func response(to request: Request, _ handler: RouteHandler) async -> HTTPResponse {
    do {
      let response = try await handler(request)
      var http = response.http
      if let login = response.login {
        http.headers.append("Set-Cookie", try changeLogin(login, request.http))
        // A cache that kept the answer would log others in (RFC 9111 §7.3).
        http.headers["Cache-Control"] = "no-store"
      }
      if case .stream(let stream as ResponseStream) = http.body { stream.run(on: executor) }
      return http
    } catch let error as HTTPError {
      return error.problem.response
    } catch is CancellationError where Task.isCancelled {
      return HTTPError(400, "Keep the connection open until the answer comes.").problem.response
    } catch {
      log.error(
        "a route failed",
        ("request", request.id),
        ("route", "\(request.method) \(request.route ?? "none")"),
        ("error", "\(error)")
      )
      return Problem.noAnswer.response
    }
  }
}
