import FusionRawHTTP
import Synchronization
import Testing
import UIFusionServer

/// Over sockets.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `Middleware of a program` {
  @Test func `around everything sees the service's own routes, files and problems`() async throws {
    let seen = Mutex<[String]>([])
    let hosted = try HostedRoutes { routes in
      routes.add { request, next in
        var response = try await next(request)
        response.headers["X-Served-By"] = "a"
        let line = "\(request.method) \(request.route ?? "none") \(response.status)"
        seen.withLock { $0.append(line) }
        return response
      }
      routes.get("/hello") { _ in "Hello" }
    }
    #expect(try await hosted.ask("GET /hello")?["X-Served-By"] == "a")
    let created = try await hosted.ask("POST /sessions", body: #"{"viewModel":"tally"}"#)
    #expect(created?.status == 201)
    #expect(created?["X-Served-By"] == "a")
    #expect(created?["Location"] != nil)
    #expect(try await hosted.ask("GET /page.html")?["X-Served-By"] == "a")
    let missing = try await hosted.ask("GET /nothing", "X-Request-Id: abc\r\n")
    #expect(missing?.status == 404)
    #expect(missing?["X-Served-By"] == "a")
    #expect(missing?.text.contains(#""requestId":"abc""#) == true)
    #expect(
      seen.withLock { $0 } == [
        "GET /hello 200", "POST /sessions 201", "GET /* 200", "GET /* 404",
      ]
    )
    await hosted.service.stop()
  }

  @Test func `lets streams pass`() async throws {
    let hosted = try HostedRoutes { $0.add { request, next in try await next(request) } }
    let id = try await hosted.service.sessions.create("tally").id
    let client = try hosted.connect()
    client.request("GET /sessions/\(id)/events")
    #expect(try await client.head()?.status == 200)
    let event = try await client.chunks(60)
    #expect(String(decoding: event, as: UTF8.self).contains(#""sum":0"#))
    await hosted.service.stop()
  }

  @Test func `refuses a request before anything happens`() async throws {
    let hosted = try HostedRoutes { routes in
      routes.add { request, next in
        guard request.method == "GET" else { throw HTTPError(403, "Only look.") }
        return try await next(request)
      }
    }
    let refused = try await hosted.ask("POST /sessions", body: #"{"viewModel":"tally"}"#)
    #expect(refused?.status == 403)
    #expect(refused?.text.contains("Only look.") == true)
    let metrics = try await hosted.ask("GET /metrics")?.text
    #expect(metrics?.contains("\nuifusion_sessions 0\n") == true)
    await hosted.service.stop()
  }

  @Test func `runs from the outside in, and that of a group around its routes only`() async throws {
    func marking(_ mark: String) -> Middleware {
      { request, next in
        var response = try await next(request)
        response.headers.add("X-Mark", mark)
        return response
      }
    }
    let hosted = try HostedRoutes { routes in
      routes.add(middleware: marking("everything"))
      routes.get("/out") { _ in "out" }
      routes.group("/a", middleware: [marking("a")]) { a in
        a.get("/in") { _ in "in" }
        a.group("/b", middleware: [marking("b")]) { b in
          b.add(middleware: marking("added"))
          b.get("/in") { _ in "in" }
        }
      }
    }
    func marks(_ path: String) async throws -> [String] {
      let fields = try await hosted.ask("GET \(path)")?.fields ?? []
      return fields.filter { $0.name == "X-Mark" }.map { $0.value }
    }
    #expect(try await marks("/out") == ["everything"])
    #expect(try await marks("/a/in") == ["a", "everything"])
    #expect(try await marks("/a/b/in") == ["added", "b", "a", "everything"])
    await hosted.service.stop()
  }

  @Test func `turns a problem into a redirect or another problem`() async throws {
    let hosted = try HostedRoutes { routes in
      routes.add { request, next in
        var response = try await next(request)
        if request.url == "/old", response.status == 404 {
          response.status = 302
          response.headers["Location"] = "/page.html"
        } else if response.status == 404 {
          response.status = 403
        }
        return response
      }
    }
    let moved = try await hosted.ask("GET /old")
    #expect(moved?.status == 302)
    #expect(moved?["Location"] == "/page.html")
    #expect(moved?.text == "")
    let hidden = try await hosted.ask("GET /hidden")
    #expect(hidden?.status == 403)
    #expect(hidden?.text.contains(#""status":403"#) == true)
    await hosted.service.stop()
  }

  @Test func `does not see requests that a check refuses, nor the admin port`() async throws {
    let count = Mutex(0)
    let hosted = try HostedRoutes(configure: { $0.adminPort = 0 }) { routes in
      routes.add { request, next in
        count.withLock { $0 += 1 }
        return try await next(request)
      }
    }
    let client = try hosted.connect()
    try await client.send("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n")
    #expect(try await client.response()?.status == 421)
    let admin = try WaitingClient(try #require(hosted.service.adminPort))
    admin.request("GET /healthz")
    #expect(try await admin.response()?.status == 200)
    #expect(count.withLock { $0 } == 0)
    await hosted.service.stop()
  }
}
