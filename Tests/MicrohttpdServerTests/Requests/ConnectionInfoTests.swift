import FusionHTTPMessages
import FusionMicrohttpdServer
import FusionRawHTTP
import Testing

/// Answers with the client, the scheme and the version of the request's connection.
private let tellConnection: HTTPHandler = { request, respond in
  let connection = request.connection
  let text =
    "\(connection.client?.description ?? "-") \(connection.scheme) \(connection.isHTTP11 ? "1.1" : "1.0")"
  respond(HTTPResponse(200, body: .bytes(Array(text.utf8))))
}

extension `A server` {
  struct `describing a request's connection` {
    @Test(arguments: ["127.0.0.1", "::"])
    func `knows the client's address`(host: String) async throws {
      try await serving({ $0.host = host }, handler: tellConnection) { server in
        let client = try RawClient(server.port)
        for _ in 0..<2 {
          client.request("GET /")
          #expect(try client.response()?.text == "127.0.0.1 http 1.1")
        }
      }
    }

    @Test func `knows the version of each request`() async throws {
      try await serving(handler: tellConnection) { server in
        let client = try RawClient(server.port)
        client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        #expect(try client.response()?.text == "127.0.0.1 http 1.0")
      }
    }
  }
}
