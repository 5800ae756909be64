import FusionHTTPMessages
import FusionHTTPToolkit
import FusionStrictJSON
import Testing

@testable import FusionSessionAPI

struct `The table of routes` {
  private let client = Client()
  private let routes = SessionRoutes.all.routes

  /// Returns a path that matches a route.
  private func path(of route: SessionRoute) -> String {
    route.pattern.openAPIPath.replacing("{id}", with: "AAAAAAAAAAAAAAAAAAAAAA")
      .replacing("{name}", with: "counter")
  }

  private func match(_ path: String) throws -> String? {
    SessionRoutes.all.match(try #require(RequestTarget(path)))?.route.pattern.text
  }

  @Test func `finds each route by its path`() throws {
    for route in routes { #expect(try match(path(of: route)) == route.pattern.text) }
    #expect(try match("/sessions/no-id/inputs") == "/sessions/{id}/inputs")
    #expect(try match("/sessions/a/b") == "/*")
    #expect(try match("/a/b/c/d/e") == "/*")
  }

  @Test func `tells the methods of every route, and refuses others`() async throws {
    for route in routes where !route.pattern.isCatchAll {
      let path = path(of: route)
      #expect(route.methods.last == .options)
      #expect(route.methods.contains(.head) == route.methods.contains(.get))
      #expect(try await client.send(.options, path)["Allow"] == route.allow)
      for method in HTTPMethod.allCases where !route.methods.contains(method) {
        let answer = try await client.send(method, path)
        #expect(answer.status == 405 && answer["Allow"] == route.allow, "\(method) \(path)")
      }
    }
  }

  @Test func `takes If-Sender in every request that needs a sender`() {
    for endpoint in (routes + SessionRoutes.inspection).flatMap(\.endpoints) {
      guard let operation = endpoint.operation?.json else { continue }
      let isTaken = operation["parameters"]?.text.contains("/IfSender\"") == true
      #expect(
        isTaken == (endpoint.requirement == .sender),
        "\(operation["operationId"]?.text ?? "")"
      )
      #expect(!isTaken || operation["responses"]?["412"] != nil)
    }
  }

  @Test func `is the OpenAPI document's list of paths`() async throws {
    let paths = JSONTree(try await client.send(.get, "/openapi.json").json())["paths"]?.members
    #expect(paths?.map(\.name) == routes.map(\.pattern.openAPIPath))
    for (path, route) in zip(paths ?? [], routes) {
      #expect(path.value.members.map(\.name) == route.methods.map { $0.rawValue.lowercased() })
      for endpoint in route.endpoints {
        let operation = path.value[endpoint.method.rawValue.lowercased()]
        #expect(operation?["operationId"] == endpoint.operation.map { .string($0.id) })
      }
    }
  }
}
