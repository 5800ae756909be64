import FusionHTTPMessages
import FusionHTTPToolkit
import Testing

@testable import FusionSessionAPI

struct `The page of a problem` {
  private let client = Client()

  private func page(_ path: String, accept: String? = nil) async throws -> Answer {
    var headers: HTTPHeaders = [:]
    headers["Accept"] = accept
    return try await client.send(.get, path, headers: headers)
  }

  @Test(arguments: ProblemTable.ofService.kinds.map(\.name))
  func `is served at the path of its type`(name: String) async throws {
    let answer = try await page("/problems/" + name)
    #expect(answer.status == 200)
    #expect(answer.text.contains(" /problems/\(name)\n"))
    #expect(answer.text.contains("\n\nWhat it means: "))
    #expect(answer.text.contains("\n\nWhat to do: "))
  }

  @Test(arguments: [
    (nil, false), ("*/*", false), ("application/json", false), ("text/plain", false),
    ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true),
    ("text/html", true), ("text/html;q=0.5, text/plain", false),
  ])
  func `is HTML for a browser, else plain text`(accept: String?, isHTML: Bool) async throws {
    let answer = try await page("/problems/queue-full", accept: accept)
    #expect(answer.status == 200 && answer["Vary"] == "Accept")
    let type = (isHTML ? "text/html" : "text/plain") + "; charset=utf-8"
    #expect(answer["Content-Type"] == type)
    #expect(answer.text.hasPrefix("<!doctype html>") == isHTML)
  }

  @Test func `shows its title, its status, its meaning and its advice`() async throws {
    let text = try await page("/problems/queue-full").text
    #expect(text.hasPrefix("Too many Inputs are waiting\n429 /problems/queue-full\n"))
    let html = try await page("/problems/queue-full", accept: "text/html").text
    #expect(html.contains("<h1>Too many Inputs are waiting</h1>"))
    #expect(html.contains("429 /problems/queue-full"))
    #expect(html.contains("--max-queued-inputs"))
  }

  @Test(arguments: ["/problems/no-such", "/problems/Queue-full", "/problems/a/b"])
  func `is not found for an unknown name`(path: String) async throws {
    let answer = try await page(path)
    #expect(answer.status == 404)
    #expect(answer.text.contains(#""type":"/problems/not-found""#))
  }

  @Test func `is linked from the list of problems`() async throws {
    let text = try await page("/problems").text
    #expect(text.split(separator: "\n").count == ProblemTable.ofService.kinds.count)
    #expect(text.contains("\n429 /problems/queue-full: Too many Inputs are waiting\n"))
    let html = try await page("/problems", accept: "text/html").text
    #expect(html.contains("<a href=\"/problems/queue-full\">Too many Inputs are waiting</a>"))
  }

  @Test func `names each status of a problem that has several`() async throws {
    let text = try await page("/problems/unknown-view-model").text
    #expect(text.contains("\n404 or 422 /problems/unknown-view-model\n"))
  }
}

struct `A problem that a browser shows` {
  private static let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

  private func send(_ method: HTTPMethod, _ path: String, accept: String = browser) async throws
    -> Answer
  {
    var options = SessionAPI.Options()
    options.basePath = try #require(BasePath("/app"))
    return try await Client(options: options).send(method, path, headers: ["Accept": accept])
  }

  @Test(arguments: [
    (HTTPMethod.get, "/no-such", 404, "There is nothing at this address."),
    (.get, "/sessions", 405, "This address is not one to open."),
    (.get, "/sessions/no-such", 404, "There is nothing at this address."),
    (.get, "/events", 400, "The service does not understand what was asked of it."),
  ])
  func `is a page with a sentence for people and a link home`(
    method: HTTPMethod,
    path: String,
    status: Int,
    sentence: String
  ) async throws {
    let answer = try await send(method, path)
    #expect(answer.status == status && answer["Content-Type"] == "text/html; charset=utf-8")
    #expect(answer.text.contains("<p class=\"lead\">\(sentence)</p>"))
    #expect(answer.text.contains("<a href=\"/app/\">Home</a>"))
    #expect(answer.text.contains("<a href=\"/app/problems/"))
    #expect(answer.text.contains("<link rel=\"icon\" href=\"/app/problems/icon.svg\""))
    #expect(answer.text.contains("<link rel=\"stylesheet\" href=\"/app/problems/style.css\">"))
  }

  @Test func `keeps its status, its headers and its request's id`() async throws {
    let client = Client()
    let headers: HTTPHeaders = ["Accept": Self.browser, "X-Request-Id": "r-1"]
    let answer = try await client.send(.get, "/sessions", headers: headers)
    #expect(answer.status == 405 && answer["Allow"] == "POST, OPTIONS")
    #expect(answer.text.contains("X-Request-Id: r-1"))
  }

  @Test func `escapes what a client has sent`() async throws {
    let answer = try await send(.get, "/events?session=%3Cscript%3E")
    #expect(answer.status == 404 && !answer.text.contains("<script"))
  }

  @Test(arguments: [
    "*/*", "application/json", "application/problem+json", "application/json, text/html;q=0.5",
    "application/json, text/plain, */*",
  ])
  func `is JSON for other clients`(accept: String) async throws {
    let answer = try await send(.get, "/no-such", accept: accept)
    #expect(answer.status == 404 && answer["Content-Type"] == "application/problem+json")
    #expect(answer["Vary"] == "Accept")
    #expect(try answer.member("type") == "/app/problems/not-found")
  }

  @Test(arguments: [HTTPMethod.post, .put, .delete])
  func `is JSON for methods that open no page`(method: HTTPMethod) async throws {
    let answer = try await send(method, "/no-such")
    #expect(answer.status == 404 && answer["Content-Type"] == "application/problem+json")
  }

  @Test func `is JSON on the administrators' port, which serves none of the linked pages`()
    async throws
  {
    let target = try #require(RequestTarget("/no-such"))
    let pending = Pending()
    Client().api.admin(.any)
      .handle(HTTPRequest(.get, target, headers: ["Accept": Self.browser]), pending)
    let answer = try await pending.answer
    #expect(answer.status == 404 && answer["Content-Type"] == "application/problem+json")
  }

  @Test(arguments: [("style.css", "text/css; charset=utf-8"), ("icon.svg", "image/svg+xml")])
  func `gets its style and its icon from the service`(name: String, type: String) async throws {
    let answer = try await send(.get, "/problems/\(name)")
    #expect(answer.status == 200 && answer["Content-Type"] == type)
    #expect(answer["ETag"] != nil)
  }
}
