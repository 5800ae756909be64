import FusionRawHTTP
import Testing
import UIFusionKit
import UIFusionServer

/// Over sockets.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `A program's authentication function` {
  @Test func `is cancelled when the service stops`() async throws {
    let (begins, begin) = AsyncStream.makeStream(of: Void.self)
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let hosted = try HostedRoutes {
      $0.drain = .zero
    } _: { routes in
      routes.authenticate { _ in
        begin.yield()
        defer { end.yield() }
        try await Task.sleep(for: .seconds(3_600))
        return nil
      }
    }
    let client = try hosted.connect()
    client.request("POST /sessions", json, body: #"{"viewModel":"tally"}"#)
    for await _ in begins { break }
    await hosted.service.stop()
    for await _ in ends { break }
  }

  @Test func `lets caches keep what a route says without asking for the sender`() async throws {
    let hosted = try HostedRoutes { routes in
      routes.authenticate { request in request.headers["X-Key"].map { Identity(id: $0) } }
      routes.get("/prices") { _ in Response(200) }
      routes.get("/me") { request in request.identity?.id ?? "nobody" }
      routes.get("/mine") { request in
        _ = request.sessions
        return Response(200)
      }
      routes.get("/secret") { request in
        guard request.identity != nil else { throw HTTPError(404, "Log in.") }
        return Response(200)
      }
      routes.get("/dated") { request in
        var response = Response(request.identity == nil ? 404 : 200)
        response.headers["Cache-Control"] = "max-age=60"
        return response
      }
      routes.get("/open") { request in
        _ = request.identity
        var response = Response(200)
        response.headers["Cache-Control"] = "public, max-age=60"
        return response
      }
    }
    for (path, control) in [
      ("/prices", nil), ("/me", "private, no-cache"), ("/mine", "private, no-cache"),
      ("/secret", "private, no-cache"), ("/dated", "private, max-age=60"),
      ("/open", "public, max-age=60"),
    ] {
      for fields in ["", "X-Key: ada\r\n"] {
        let answer = try #require(try await hosted.ask("GET \(path)", fields))
        #expect(answer["Cache-Control"] == control, "\(path)")
        let vary = answer["Vary"] ?? ""
        for name in ["Authorization", "Cookie"] {
          #expect(vary.contains(name) == (path != "/prices"), "\(path)")
        }
      }
    }
    await hosted.service.stop()
  }
}
