import FusionHTTPMessages
import FusionHTTPToolkit
import FusionStrictJSON
import Synchronization
import Testing

/// A service without sessions that greets the people it knows.
private struct Greeter: RoutingContext {
  let known: Set<String> = ["ada", "bob"]
}

private let router = Router<Greeter>([
  Route(
    "/hello",
    Endpoint(.get, operation("list")) { greeter, _, _, respond in
      respond(text("\(greeter.known.count)"))
    }
  ),
  Route(
    "/hello/{name}",
    exists: { greeter, target in greeter.known.contains(target.segments[1]) },
    Endpoint(.get, operation("greet")) { _, path, _, respond in
      respond(text("Hello, \(path["name"] ?? "")!"))
    },
    Endpoint(.delete, operation("forget")) { _, _, _, _ throws(Problem) in throw .draining }
  ),
  Route(
    "/hello/{name}/{times}",
    Endpoint(.get, operation("repeat")) { _, path, _, respond in
      respond(text("\(path["times", as: Int.self].map { $0 * 2 } ?? -1)"))
    }
  ),
  Route(
    "/*",
    Endpoint(.get, operation("rest")) { _, _, request, respond in
      respond(text("rest of \(request.target.path)"))
    }
  ),
])

private func operation(_ id: String) -> FusionHTTPToolkit.Operation {
  FusionHTTPToolkit.Operation(id: id, tag: "Greetings", summary: id, responses: [:])
}

private func text(_ text: String) -> HTTPResponse {
  HTTPResponse(200, body: .bytes(Array(text.utf8)))
}

private final class Responses: HTTPResponder {
  private let all = Mutex<[HTTPResponse]>([])

  func callAsFunction(_ response: consuming HTTPResponse) {
    let response = response
    all.withLock { $0.append(response) }
  }

  var only: HTTPResponse? { all.withLock { $0.count == 1 ? $0[0] : nil } }
}

/// A step that numbers the responses, and tells their routes.
private final class Counting: ResponseStep {
  let count = Atomic(0)

  func finish(_ response: inout HTTPResponse, to request: RequestContext) {
    response.headers.append("X-Count", "\(count.add(1, ordering: .relaxed).newValue)")
    response.headers.append("X-Route", request.path?.pattern.text ?? "-")
  }
}

private struct NoTrace: RequestCheck {
  func check(_ request: HTTPRequest) throws(Problem) {
    if request.method == .trace { throw .notFound }
  }
}

private let middleware = Middleware(
  checks: [NoTrace()],
  steps: [Counting(), ProblemDocument(below: "/app")]
)

private func send(_ method: HTTPMethod, _ path: String) throws -> HTTPResponse {
  let request = HTTPRequest(method, path == "*" ? .asterisk : try #require(RequestTarget(path)))
  let responses = Responses()
  let match = router.match(request.target)
  let respond = PendingResponse(to: request, at: match?.path, through: middleware, responses)
  respond.answer { () throws(Problem) in
    try middleware.check(request)
    guard let match else { throw .notFound }
    let endpoint = try match.route.endpoint(for: request, in: Greeter(), respond)
    try endpoint?.handler(Greeter(), match.path, request, respond)
  }
  return try #require(responses.only)
}

extension HTTPResponse {
  fileprivate var text: String {
    if case .bytes(let bytes) = body { String(decoding: bytes, as: UTF8.self) } else { "-" }
  }
}

struct `A router` {
  @Test(arguments: [
    ("/hello", "2"), ("/hello/ada", "Hello, ada!"), ("/hello/ada/21", "42"),
    ("/hello/ada/x", "-1"), ("/a/b/c/d", "rest of /a/b/c/d"), ("/", "rest of /"),
  ])
  func `finds the route of a path and its parameters`(path: String, answer: String) throws {
    let response = try send(.get, path)
    #expect(response.status == 200 && response.text == answer)
    #expect(try send(.head, path).text == answer)
  }

  @Test func `answers OPTIONS with a resource's methods, and OPTIONS * with all methods`() throws {
    let response = try send(.options, "/hello/ada")
    #expect(response.status == 204)
    #expect(response.headers["Allow"] == "GET, HEAD, DELETE, OPTIONS")
    #expect(try send(.options, "*").headers["Allow"] == "GET, HEAD, DELETE, OPTIONS")
    #expect(try send(.options, "/hello").headers["Allow"] == "GET, HEAD, OPTIONS")
  }

  @Test func `refuses a method that the resource does not have`() throws {
    let response = try send(.post, "/hello")
    #expect(response.status == 405 && response.headers["Allow"] == "GET, HEAD, OPTIONS")
    #expect(response.text.contains("has: GET, HEAD, OPTIONS."))
  }

  @Test(arguments: HTTPMethod.allCases.filter { $0 != .trace })
  func `answers 404 to every method if the resource does not exist`(method: HTTPMethod) throws {
    #expect(try send(method, "/hello/eve").status == 404)
  }

  @Test func `describes each route with its implicit HEAD and OPTIONS`() {
    let paths = router.paths.members
    #expect(paths.map(\.name) == ["/hello", "/hello/{name}", "/hello/{name}/{times}", "/"])
    #expect(paths[1].value.members.map(\.name) == ["get", "head", "delete", "options"])
  }
}

struct `The middleware` {
  @Test func `runs its steps once on every response, with the route's pattern`() throws {
    for (method, path, route) in [
      (HTTPMethod.get, "/hello/ada", "/hello/{name}"), (.delete, "/hello/bob", "/hello/{name}"),
      (.trace, "/x", "/*"), (.post, "/hello", "/hello"),
    ] {
      let response = try send(method, path)
      #expect(response.headers.fields.count { $0.isNamed("X-Count") } == 1)
      #expect(response.headers["X-Route"] == route)
    }
  }

  @Test func `writes problems in its last step, with the base path in their type`() throws {
    let response = try send(.delete, "/hello/bob")
    #expect(response.status == 503)
    #expect(response.text.hasPrefix(#"{"type":"/app/problems/draining""#))
  }

  @Test func `transforms a pending response before its steps`() throws {
    let responses = Responses()
    let request = HTTPRequest(.get, try #require(RequestTarget("/")))
    let pending = PendingResponse(to: request, at: nil, through: middleware, responses)
    pending.mapping { _ in Problem.storeInDoubt.response }(text("ok"))
    let response = try #require(responses.only)
    #expect(response.status == 503 && response.headers["X-Route"] == "-")
    #expect(response.text.contains("/problems/store-in-doubt"))
  }
}
