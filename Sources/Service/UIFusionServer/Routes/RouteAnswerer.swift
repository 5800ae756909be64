import FoundationEssentials
import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessionAPI

/// Runs the handlers of routes, and makes answers of what they return or throw.
struct RouteAnswerer: Sendable {
  private let cookies: LoginCookies?
  private let date: @Sendable () -> Date
  private let executor: (any TaskExecutor)?
  private let log: Log

  init(_ authenticator: Authenticator) {
    cookies = authenticator.cookies
    date = authenticator.date
    executor = authenticator.executor
    log = authenticator.log
  }

  /// Runs a handler; `respond` is given its answer. That to an error is its problem, or 500 for one that is none.
  func answer(
    _ request: Request,
    _ handler: @escaping RouteHandler,
    _ respond: PendingResponse
  ) {
    Task(executorPreference: executor) { respond(await response(to: request, handler)) }
  }

  private func response(to request: Request, _ handler: RouteHandler) async -> HTTPResponse {
    do {
      let response = try await handler(request)
      var http = response.http
      if let login = response.login {
        http.headers.append("Set-Cookie", try cookie(login, for: request))
      }
      if case .stream(let stream as ResponseStream) = http.body { stream.run(on: executor) }
      return http
    } catch let error as HTTPError {
      return error.problem.response
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

  private func cookie(_ login: Response.Login, for request: Request) throws -> String {
    guard let cookies else {
      throw ServiceError(description: "a login needs keys: start with --auth-cookies FILE")
    }
    return try cookies.field(login, for: request.http.connection, at: date())
  }
}
