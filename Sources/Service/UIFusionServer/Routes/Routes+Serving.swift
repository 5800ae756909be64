import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessionAPI

extension Routes {
  /// Returns the routes as the service takes them.
  ///
  /// - Throws: an error for a path that is malformed, or belongs to another route or a file of the front end, and for a
  ///   described type of a streamed body.
  func served(
    beside files: FileIndex,
    by answerer: RouteAnswerer
  ) throws(ServiceError) -> [ProgramRoute] {
    var served: [ProgramRoute] = []
    var operations = ProgramRoute.contractedOperations
    for route in all {
      let pattern = try route.pattern(beside: served)
      if let other = ProgramRoute.contractedPattern(overlapping: pattern) {
        throw route.error("is a path of the service's own (\(other)): choose another path")
      }
      if files["/" + pattern.text.dropFirst()] != nil {
        throw route.error("is a file of the front end: rename the file, or choose another path")
      }
      if served.contains(where: { $0.pattern.text == pattern.text && $0.method == route.method }) {
        throw route.error("is added twice: leave one of them out")
      }
      if route.body.limit != nil, route.description?.body != nil {
        throw route.error("streams its body, which is of no type: describe it without a body")
      }
      served.append(route.served(at: pattern, by: answerer, besides: &operations))
    }
    return served
  }

  /// The middleware around all requests; nil where there is none.
  func wrapper(by answerer: RouteAnswerer) -> RequestWrapper? {
    guard !outer.isEmpty else { return nil }
    return { [outer] request, path, sessions, next, respond in
      let handler = outer.around {
        let response = await awaitResponse(to: $0.http, from: next) { respond.whenClientLeaves($0) }
        return Response(response)
      }
      // The client's leaving cancels the program's own route within, not what the service does.
      answerer.answer(Request(request, path, sessions), handler, respond)
    }
  }
}

extension Routes.Route {
  /// Returns the pattern of the path.
  fileprivate func pattern(beside others: [ProgramRoute]) throws(ServiceError) -> PathPattern {
    guard path.wholeMatch(of: /(\/([^\/{}*?#%]+|\{[A-Za-z0-9_]+\}))+/) != nil else {
      throw error("is not a path such as /orders/{id}")
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
    ServiceError("the route \(method.rawValue) \(path) \(reason)")
  }

  fileprivate func served(
    at pattern: PathPattern,
    by answerer: RouteAnswerer,
    besides operations: inout Set<String>
  ) -> ProgramRoute {
    let operation = description?.operation(
      method.rawValue,
      at: pattern,
      taking: body,
      besides: operations
    )
    if let operation { operations.insert(operation.id) }
    return ProgramRoute(method, pattern, operation, bodyLimit: body.limit) {
      [handler] sessions, path, request, respond in
      let task = answerer.answer(Request(request, path, sessions), handler, respond)
      // In a task, as it runs code of the program: all connections are watched from one queue.
      respond.whenClientLeaves { Task { task.cancel() } }
    }
  }
}
