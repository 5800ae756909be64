import FusionRawHTTP
import Testing
import UIFusionKit
import UIFusionServer

// What follows is the Swift of Routes.md.

private struct Order: Codable, Sendable { var count: Int }
private struct Receipt: Codable, Sendable { var total: Int }
private struct Payment: Codable, Sendable {
  var id: String
  var session: String
  var seconds: Int
}

private let requirePassword: Middleware = { request, next in
  guard request.headers["Authorization"] == "Bearer open" else { throw HTTPError(401, "Log in.") }
  return try await next(request)
}

private func makeRoutes() -> Routes {
  let numbers = AsyncStream<[UInt8]> { parts in
    for number in 1...3 { parts.yield(Array("\(number)\n".utf8)) }
    parts.finish()
  }
  var routes = Routes()
  routes.get("/hello/{name}") { request in
    "Hello, \(try request.parameter("name"))"
  }
  routes.post("/orders", RouteDescription("Takes an order", body: Order.self)) { request in
    let order = try request.decode(as: Order.self)
    guard order.count > 0 else { throw HTTPError(422, "Order one at least.") }
    return Receipt(total: order.count * 3)
  }
  routes.get("/numbers") { _ in
    Response(headers: ["Content-Type": "text/plain"], stream: numbers)
  }
  routes.put("/files/{name}", body: .streamed(upTo: 5_000_000_000)) { request in
    try await request.stream.reduce(0) { $0 + $1.count }
  }
  routes.add { request, next in
    var response = try await next(request)
    response.headers["X-Served-By"] = "shop-1"
    return response
  }
  routes.group("/admin", middleware: [requirePassword]) { admin in
    admin.delete("/orders/{id}") { _ in Response(204) }
  }
  routes.post("/webhooks/payment") { request in
    let payment = try request.decode(as: Payment.self)
    try await request.sessions.send(
      Countdown.Input.setDuration(payment.seconds),
      to: payment.session,
      key: payment.id
    )
    return Response(204)
  }
  routes.get("/hall") { request in
    let sessions = request.sessions.asProgram
    let hall = try await sessions.create("countdown", name: "hall", shared: true)
    return try await sessions.events(of: hall.id, for: request)
  }
  return routes
}

struct `The guide on routes` {
  @Test func `shows routes that work`() async throws {
    var catalog = ViewModelCatalog()
    catalog.host("countdown", summary: "Ticks", parameters: Countdown.Parameters.self) { given, _ in
      try Countdown(given)
    }
    var configuration = Configuration()
    configuration.port = 0
    configuration.data = .memory
    configuration.logLevel = .error
    var dependencies = Dependencies()
    dependencies.executor = QueueExecutor()
    let service = try Service(
      catalog,
      configuration,
      dependencies: dependencies,
      routes: makeRoutes()
    )
    let hello = try await service.ask("GET /hello/Ada")
    #expect(hello.text == "Hello, Ada" && hello["X-Served-By"] == "shop-1")
    #expect(try await service.ask("POST /orders", body: #"{"count":2}"#).text == #"{"total":6}"#)
    #expect(
      try await service.ask("POST /orders", body: #"{"count":0}"#).text.contains(
        "Order one at least."
      )
    )
    #expect(try await service.ask("GET /openapi.json").text.contains("Takes an order"))
    #expect(try await service.ask("GET /numbers").text == "1\n2\n3\n")
    #expect(try await service.ask("PUT /files/a", body: "abc").text == "3")
    #expect(try await service.ask("DELETE /admin/orders/1").status == 401)
    #expect(
      try await service.ask("DELETE /admin/orders/1", "Authorization: Bearer open\r\n").status
        == 204
    )
    let id = try await service.sessions.create("countdown").id
    let payment = #"{"id":"p1","session":"\#(id)","seconds":30}"#
    for _ in 0..<2 {
      #expect(try await service.ask("POST /webhooks/payment", body: payment).status == 204)
    }
    #expect(try await service.sessions.state(of: id).version == 2)
    await service.stop()
  }
}
