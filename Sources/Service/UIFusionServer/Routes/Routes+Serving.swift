import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessionAPI

extension Routes {
  /// Returns the routes as the service takes them.
  ///
  /// - Throws: an error for a path that is none, or that another route or a file of the front end has.
  func served(
    beside files: FileIndex,
    on executor: (any TaskExecutor)?,
    _ log: Log
  ) throws(ServiceError) -> [OwnRoute] {
    var served: [OwnRoute] = []
    for route in all {
      let pattern = try route.pattern(beside: served)
      if let other = OwnRoute.contractedPattern(overlapping: pattern) {
        throw route.error("is a path of the service's own (\(other)): choose another path")
      }
      if files["/" + pattern.text.dropFirst()] != nil {
        throw route.error("is a file of the front end: rename the file, or choose another path")
      }
      if served.contains(where: { $0.pattern.text == pattern.text && $0.method == route.method }) {
        throw route.error("is added twice: leave one of them out")
      }
      served.append(route.served(at: pattern, on: executor, log))
    }
    return served
  }

  /// The middleware around all requests; nil where there is none.
  func around(on executor: (any TaskExecutor)?, _ log: Log) -> AroundRequests? {
    guard !outer.isEmpty else { return nil }
    return { [outer] request, path, sessions, next, respond in
      let handler = outer.around { Response(await awaitResponse(to: $0.http, from: next)) }
      Task(executorPreference: executor) {
        respond(await answer(Request(request, path, sessions), handler, on: executor, log))
      }
    }
  }
}

extension Routes.Route {
  /// Returns the pattern of the path.
  fileprivate func pattern(beside others: [OwnRoute]) throws(ServiceError) -> PathPattern {
    guard path.wholeMatch(of: /(\/([^\/{}*?#%]+|\{[A-Za-z0-9_]+\}))+/) != nil else {
      throw error("is no path such as /orders/{id}: mend it")
    }
    let pattern = PathPattern(path)
    guard Set(pattern.parameters).count == pattern.parameters.count else {
      throw error("has two parameters of one name: rename one of them")
    }
    // One pattern for all methods of a path.
    if let same = others.first(where: { $0.pattern.text == path }) { return same.pattern }
    let rival = others.first {
      $0.pattern.overlaps(pattern) && !$0.pattern.precedes(pattern) && !pattern.precedes($0.pattern)
    }
    if let rival {
      throw error("matches the same paths as \(rival.pattern.text): write both in the same way")
    }
    return pattern
  }

  fileprivate func error(_ reason: String) -> ServiceError {
    ServiceError(description: "the route \(method.rawValue) \(path) \(reason)")
  }

  fileprivate func served(
    at pattern: PathPattern,
    on executor: (any TaskExecutor)?,
    _ log: Log
  ) -> OwnRoute {
    let operation = description?.operation(method.rawValue, at: pattern)
    return OwnRoute(method, pattern, operation) { [handler] sessions, path, request, respond in
      Task(executorPreference: executor) {
        respond(await answer(Request(request, path, sessions), handler, on: executor, log))
      }
    }
  }
}

/// Returns a handler's answer; that to an error is its problem, or 500 for one that is none.
private func answer(
  _ request: Request,
  _ handler: RouteHandler,
  on executor: (any TaskExecutor)?,
  _ log: Log
) async -> HTTPResponse {
  do {
    let response = try await handler(request).http
    if case .stream(let stream as ResponseStream) = response.body { stream.run(on: executor) }
    return response
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
