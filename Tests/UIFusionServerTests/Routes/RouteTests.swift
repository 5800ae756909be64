import FoundationEssentials
import FusionRawHTTP
import FusionStrictJSON
import Testing
import UIFusionServer

private struct Order: Codable, Sendable, Equatable {
  var item: String
  var count: Int
}

/// Over sockets.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `A route of a program` {
  @Test func `answers with text, JSON, or a response of any kind`() async throws {
    let hosted = try HostedRoutes { routes in
      routes.get("/hello") { _ in "Hello" }
      routes.get("/order") { _ in Order(item: "pear", count: 2) }
      routes.put("/order") { _ in Response(201, headers: ["Location": "/order"]) }
    }
    let text = try await hosted.ask("GET /hello")
    #expect(text?.status == 200)
    #expect(text?["Content-Type"] == "text/plain; charset=utf-8")
    #expect(text?.text == "Hello")
    let value = try await hosted.ask("GET /order")
    #expect(value?["Content-Type"] == "application/json")
    #expect(value?.text == #"{"item":"pear","count":2}"#)
    let put = try await hosted.ask("PUT /order")
    #expect(put?.status == 201)
    #expect(put?["Location"] == "/order")
    await hosted.service.stop()
  }

  @Test func `takes no empty parameter, and leaks no State in a problem`() async throws {
    let hosted = try HostedRoutes { routes in
      routes.delete("/orders/{id}") { try $0.parameter("id") }
      routes.post("/add") { request in
        let id = try await request.sessions.create("tally").id
        try await request.sessions.send(Tally.Input.add(1), to: id, ifVersion: 7)
        return Response(204)
      }
    }
    #expect(try await hosted.ask("DELETE /orders/")?.status == 404)
    let refused = try await hosted.ask("POST /add")
    #expect(refused?.status == 412)
    #expect(refused?.text.contains("sum") == false)
    await hosted.service.stop()
  }

  @Test func `has the headers and methods that the service's routes have`() async throws {
    let hosted = try HostedRoutes { $0.get("/hello") { _ in "Hello" } }
    let page = try await hosted.ask("HEAD /hello")
    #expect(page?.status == 200)
    #expect(page?["Content-Length"] == "5")
    #expect(page?["X-Content-Type-Options"] == "nosniff")
    #expect(page?["X-Request-Id"] != nil)
    let wrong = try await hosted.ask("POST /hello")
    #expect(wrong?.status == 405)
    #expect(wrong?["Allow"] == "GET, HEAD, OPTIONS")
    #expect(try await hosted.ask("OPTIONS /hello")?["Allow"] == "GET, HEAD, OPTIONS")
    await hosted.service.stop()
  }

  @Test func `can be one for any method, and answer with a response or a value`() async throws {
    let hosted = try HostedRoutes {
      $0.get("/a") { _ in 1 }
      $0.post("/a") { _ in 2 }
      $0.put("/a") { _ in 3 }
      $0.patch("/a") { _ in 4 }
      $0.delete("/a") { _ in Response(204) }
      $0.post("/b") { _ in Response(202) }
      $0.put("/b") { _ in Response(205) }
      $0.patch("/b") { _ in Response(206) }
    }
    for (method, body) in ["GET": "1", "POST": "2", "PUT": "3", "PATCH": "4"] {
      #expect(try await hosted.ask("\(method) /a")?.text == body, "\(method)")
    }
    for (method, status) in ["DELETE /a": 204, "POST /b": 202, "PUT /b": 205, "PATCH /b": 206] {
      #expect(try await hosted.ask(method)?.status == status, "\(method)")
    }
    #expect(try await hosted.ask("OPTIONS /a")?["Allow"]?.contains("PATCH") == true)
    await hosted.service.stop()
  }

  @Test func `is refused to pages of foreign origins if it changes something`() async throws {
    let hosted = try HostedRoutes { $0.post("/orders") { _ in Response(204) } }
    let fields = "Origin: https://evil.example\r\n"
    #expect(try await hosted.ask("POST /orders", fields)?.status == 403)
    #expect(try await hosted.ask("POST /orders")?.status == 204)
    await hosted.service.stop()
  }

  @Test func `takes typed parameters from the path and the query`() async throws {
    let hosted = try HostedRoutes { routes in
      routes.get("/orders/{id}/{name}") { request in
        let id = try request.parameter("id", as: Int.self)
        let page = try request.query("page", as: Int.self) ?? 1
        return "\(id) \(try request.parameter("name")) \(page)"
      }
      routes.get("/orders/7/last") { _ in "the literal one" }
      routes.get("/search") { try $0.query("q", as: String.self) ?? "" }
    }
    #expect(try await hosted.ask("GET /orders/7/a%2Fb?page=3")?.text == "7 a/b 3")
    #expect(try await hosted.ask("GET /orders/7/x")?.text == "7 x 1")
    #expect(try await hosted.ask("GET /search?q=two+words%2B")?.text == "two words+")
    #expect(try await hosted.ask("GET /orders/7/last")?.text == "the literal one")
    let noNumber = try await hosted.ask("GET /orders/seven/x")
    #expect(noNumber?.status == 404)
    #expect(noNumber?.text.contains("/problems/not-found") == true)
    let badPage = try await hosted.ask("GET /orders/7/x?page=two")
    #expect(badPage?.status == 400)
    #expect(badPage?.text.contains(#""member":"page""#) == true)
    await hosted.service.stop()
  }

  @Test(arguments: [
    (#"{"item":"pear","count":2}"#, 200, "pear"),
    (#"{"item":"pear"}"#, 422, "count"),
    (#"{"item":"pear","count":2,"color":1}"#, 400, "color"),
    (#"{"item":"pear","item":"fig","count":2}"#, 400, "malformed-json"),
    (#"{"item":"#, 400, "malformed-json"),
  ])
  func `decodes its body as strictly as an Input`(
    body: String,
    status: Int,
    part: String
  ) async throws {
    let hosted = try HostedRoutes { routes in
      routes.post("/orders") { request in try request.decode(as: Order.self) }
    }
    let answer = try await hosted.ask("POST /orders", body: body)
    #expect(answer?.status == status)
    #expect(answer?.text.contains(part) == true)
    await hosted.service.stop()
  }

  @Test func `decodes no body that is not declared as JSON`() async throws {
    let hosted = try HostedRoutes { routes in
      routes.post("/orders") { request in try request.decode(as: Order.self) }
    }
    let client = try hosted.connect()
    client.request("POST /orders", body: #"{"item":"pear","count":2}"#)
    #expect(try await client.response()?.status == 415)
    await hosted.service.stop()
  }

  @Test func `refuses with a problem, and hides unexpected errors`() async throws {
    struct Secret: Error { let password = "hunter2" }
    let hosted = try HostedRoutes { routes in
      routes.get("/sold-out") { _ in
        throw HTTPError(
          409,
          "Choose another item.",
          type: "https://shop.example/sold-out",
          headers: ["Retry-After": "60"]
        )
      }
      routes.get("/broken") { _ in throw Secret() }
    }
    let refused = try await hosted.ask("GET /sold-out", "X-Request-Id: abc\r\n")
    #expect(refused?.status == 409)
    #expect(refused?["Content-Type"] == "application/problem+json")
    #expect(refused?["Retry-After"] == "60")
    let problem = #"{"type":"https://shop.example/sold-out","title":"Conflict","status":409,"#
    #expect(refused?.text == problem + #""detail":"Choose another item.","requestId":"abc"}"#)
    let broken = try await hosted.ask("GET /broken")
    #expect(broken?.status == 500)
    #expect(broken?.text.contains("hunter2") == false)
    await hosted.service.stop()
  }

  @Test func `is in OpenAPI with its parameters and its body if it is described`() async throws {
    let hosted = try HostedRoutes { routes in
      routes.group("/shop") { shop in
        shop.post(
          "/orders/{id}",
          RouteDescription(
            "Changes an order",
            parameters: ["id": Int.self, "page": Int.self],
            body: Order.self,
            response: [Order].self
          )
        ) { _ in [Order]() }
      }
      routes.get("/hidden") { _ in "hidden" }
    }
    let answer = try #require(try await hosted.ask("GET /openapi.json"))
    let document = JSONTree(try JSONDocument(answer.body).root)
    #expect(document["paths"]?["/hidden"] == nil)
    let operation = try #require(document["paths"]?["/shop/orders/{id}"]?["post"])
    #expect(operation["summary"] == "Changes an order")
    guard case .array(let parameters)? = operation["parameters"] else {
      Issue.record("no parameters")
      return
    }
    #expect(parameters.compactMap { $0["name"] } == ["id", "page"])
    #expect(parameters[0]["schema"]?["type"] == "integer")
    let body = operation["requestBody"]?["content"]?["application/json"]?["schema"]
    #expect(body?["properties"]?["item"] == ["type": "string"])
    // Each reference leads to a schema.
    let content = operation["responses"]?["200"]?["content"]?["application/json"]?["schema"]
    guard case .string(let reference)? = content?["items"]?["$ref"] else {
      Issue.record("no reference in \(content?.text ?? "nothing")")
      return
    }
    let name = try #require(reference.split(separator: "/").last.map(String.init))
    #expect(document["components"]?["schemas"]?[name]?["type"] == "object")
    #expect(document["security"] == nil)
    await hosted.service.stop()
  }

  @Test func `has a unique operation id in OpenAPI, which lists the ways to authenticate`()
    async throws
  {
    let hosted = try HostedRoutes { routes in
      routes.authenticate { _ in nil }
      for path in ["/a/b", "/a-b", "/a/{b}"] {
        routes.get(path, RouteDescription("Answers")) { _ in "b" }
      }
      routes.get("/health", RouteDescription("Answers")) { _ in "well" }
    }
    let answer = try #require(try await hosted.ask("GET /openapi.json"))
    let ids = answer.text.matches(of: /"operationId":"(\w+)"/).map { String($0.output.1) }
    #expect(Set(ids).count == ids.count && ids.contains("getAB") && ids.contains("getAB_3"))
    let document = JSONTree(try JSONDocument(answer.body).root)
    #expect(document["components"]?["securitySchemes"]?["token"]?["scheme"] == "bearer")
    #expect(document["security"] == [["token": []], ["login": []], [:]])
    await hosted.service.stop()
  }

  @Test func `accepts the headers that a page of an allowed origin asks for`() async throws {
    let hosted = try HostedRoutes {
      $0.allowOrigins = ["https://app.example"]
    } _: { routes in
      routes.post("/add") { $0.headers["X-Key"] ?? "none" }
    }
    let fields =
      "Origin: https://app.example\r\nAccess-Control-Request-Method: POST\r\n"
      + "Access-Control-Request-Headers: x-key,content-type, b@d\r\n"
    let preflight = try await hosted.ask("OPTIONS /add", fields)
    let accepted = preflight?["Access-Control-Allow-Headers"]?.split(separator: ", ") ?? []
    #expect(accepted.contains("x-key") && !accepted.contains("content-type"))
    #expect(accepted.contains("Content-Type") && !accepted.contains { $0.contains("@") })
    await hosted.service.stop()
  }

  @Test(arguments: [false, true])
  func `accepts headers that a page asks for only if the program authenticates`(
    isProgram: Bool
  ) async throws {
    let folder = TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    let tokens = folder.path + "/tokens"
    try "".write(toFile: tokens, atomically: true, encoding: .utf8)
    let hosted = try HostedRoutes {
      $0.allowOrigins = ["https://app.example"]
      $0.authTokens = tokens
    } _: { routes in
      if isProgram { routes.authenticate { _ in nil } }
    }
    let fields =
      "Origin: https://app.example\r\nAccess-Control-Request-Method: POST\r\n"
      + "Access-Control-Request-Headers: x-key\r\n"
    let preflight = try await hosted.ask("OPTIONS /sessions", fields)
    let accepted = preflight?["Access-Control-Allow-Headers"]?.split(separator: ", ") ?? []
    #expect(accepted.contains("Authorization") && accepted.contains("x-key") == isProgram)
    await hosted.service.stop()
  }

  @Test func `is cancelled if the service stops without its answer`() async throws {
    let (begun, hasBegun) = AsyncStream<Void>.makeStream()
    let (ended, hasEnded) = AsyncStream<Bool>.makeStream()
    let hosted = try HostedRoutes {
      $0.drain = .milliseconds(10)
    } _: { routes in
      routes.get("/wait") { _ in
        hasBegun.yield()
        let never = AsyncStream<Void> { _ in }
        for await _ in never {}
        hasEnded.yield(Task.isCancelled)
        return "late"
      }
    }
    let client = try hosted.connect()
    client.request("GET /wait")
    for await _ in begun { break }
    await hosted.service.stop()
    for await isCancelled in ended {
      #expect(isCancelled)
      break
    }
  }
}

struct `The start of a service` {
  private static let refused: [(String, String)] = [
    ("/sessions", "is a path of the service's own (/sessions)"),
    ("/sessions/{name}", "is a path of the service's own (/sessions/{id})"),
    ("/{anything}", "is a path of the service's own"),
    ("/healthz", "is a path of the service's own (/healthz)"),
    ("/page.html", "is a file of the front end"),
    ("hello", "is not a path"),
    ("/", "is not a path"),
    ("/files/*", "is not a path"),
    ("/a/{id}/{id}", "has two parameters of one name"),
    ("/taken", "is added twice"),
    ("/b/{other}", "matches the same paths as /b/{id}"),
  ]

  @Test(arguments: refused)
  func `refuses a route with a malformed path or a path that is taken`(path: String, reason: String)
    throws
  {
    let error = #expect(throws: ServiceError.self) {
      _ = try HostedRoutes { routes in
        routes.get("/taken") { _ in "first" }
        routes.get("/b/{id}") { _ in "first" }
        routes.get(path) { _ in "second" }
      }
    }
    let text = try #require(error).description
    #expect(text.contains("the route GET \(path) \(reason)"), "\(text)")
  }

  @Test func `accepts routes that no other answers`() async throws {
    let hosted = try HostedRoutes { routes in
      routes.get("/b/{id}") { _ in "get" }
      routes.delete("/b/{id}") { _ in "delete" }
      routes.get("/b/{id}/more") { _ in "more" }
      routes.get("/sessions/{id}/report") { _ in "report" }
    }
    #expect(try await hosted.ask("GET /b/1")?.text == "get")
    #expect(try await hosted.ask("DELETE /b/1")?.text == "delete")
    #expect(try await hosted.ask("GET /b/1/more")?.text == "more")
    #expect(try await hosted.ask("GET /sessions/1/report")?.text == "report")
    await hosted.service.stop()
  }
}
