import Foundation
import FusionRawHTTP
import Testing
import UIFusionServer

/// Over sockets.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `A streamed request body` {
  /// A handler that counts the bytes that it reads.
  private static let count: RouteHandler = { request in
    var sum = 0
    for try await part in request.stream { sum += part.count }
    return Response(text: "\(sum)")
  }

  private func hosted(_ configure: (inout Configuration) -> Void = { _ in }) throws -> HostedRoutes
  {
    try HostedRoutes(configure: configure) { routes in
      routes.add { request, next in
        if request.headers["X-Refused"] != nil { throw HTTPError(403, "No.") }
        return try await next(request)
      }
      routes.post("/upload/{name}", RouteDescription("Takes a file"), body: .streamed, Self.count)
      routes.put("/small", body: .streamed(upTo: 70_000), Self.count)
      routes.put(
        "/csv",
        RouteDescription("Takes"),
        body: .streamed(upTo: 9, contentType: "text/csv"),
        Self.count
      )
      routes.post("/decoded", body: .streamed) { "\(try $0.decode(as: Int.self))" }
      routes.post("/whole") { try await Self.count($0) }
      routes.post("/upload/literal") { "\($0.body.count)" }
    }
  }

  @Test func `is read by a route for streams, through middleware`() async throws {
    let hosted = try hosted { $0.basePath = "/app" }
    let body = String(repeating: "x", count: 300_000)
    #expect(try await hosted.ask("POST /app/upload/a", body: body)?.text == "300000")
    #expect(try await hosted.ask("POST /app/upload/a")?.text == "0")
    #expect(try await hosted.ask("PUT /app/small", body: body)?.status == 413)
    #expect(
      try await hosted.ask("PUT /app/small", body: String(body.prefix(70_000)))?.text == "70000"
    )
    // The limit of other routes stays the same.
    for path in ["/whole", "/upload/literal", "/sessions"] {
      #expect(try await hosted.ask("POST /app\(path)", body: body)?.status == 413, "\(path)")
    }
    #expect(try await hosted.ask("POST /app/whole", body: "whole")?.text == "5")
    #expect(try await hosted.ask("POST /app/upload/literal", body: "whole")?.text == "5")
    await hosted.service.stop()
  }

  @Test func `can be refused before it is sent`() async throws {
    let hosted = try hosted()
    for refusal in ["X-Refused: 1\r\n", "Origin: http://elsewhere.example\r\n"] {
      let client = try hosted.connect()
      let ask = "Content-Length: 999999999\r\nExpect: 100-continue\r\n\(refusal)"
      client.request("POST /upload/a", ask)
      let answer = try await client.response()
      #expect(answer?.status == 403 && answer?["Content-Type"] == "application/problem+json")
    }
    await hosted.service.stop()
  }

  @Test func `is answered 413 if it is too large`() async throws {
    let hosted = try hosted()
    let client = try hosted.connect()
    client.request("PUT /small", "Transfer-Encoding: chunked\r\n")
    try await client.send("13880\r\n" + String(repeating: "x", count: 80_000) + "\r\n0\r\n\r\n")
    let answer = try await client.response()
    #expect(answer?.status == 413 && answer?.text.contains("content-too-large") == true)
    await hosted.service.stop()
  }

  @Test func `cannot be decoded, which is the program's fault`() async throws {
    let hosted = try hosted()
    #expect(try await hosted.ask("POST /decoded", body: "1")?.status == 500)
    await hosted.service.stop()
    let error = #expect(throws: ServiceError.self) {
      _ = try HostedRoutes { routes in
        let description = RouteDescription("Takes a number", body: Int.self)
        routes.post("/number", description, body: .streamed, Self.count)
      }
    }
    #expect(try #require(error).description.contains("the route POST /number streams its body"))
  }

  @Test func `is in the OpenAPI document with its media type`() async throws {
    let hosted = try hosted()
    let document = try #require(try await hosted.ask("GET /openapi.json")?.text)
    #expect(
      document.contains(
        #""requestBody":{"required":true,"content":{"application/octet-stream":{"schema":{}}}}"#
      )
    )
    #expect(document.contains(#""text/csv":{"schema":{}}"#))
    await hosted.service.stop()
  }

  @Test func `can come over TLS`() async throws {
    let files = try Certificate()
    let hosted = try hosted {
      $0.tlsCertificate = files.certificate
      $0.tlsKey = files.key
    }
    let file = try files.write(String(repeating: "x", count: 5_000_000), to: "body")
    let curl = try run(
      "/usr/bin/curl",
      [
        "-sS", "--cacert", files.certificate, "-T", file, "-X", "POST",
        "https://localhost:\(hosted.service.port)/upload/a",
      ]
    )
    #expect(curl.output == "5000000", "\(curl.errors)")
    await hosted.service.stop()
  }
}
