import Foundation
import FusionHTTPMessages
import FusionMicrohttpdServer
import FusionRawHTTP
import Synchronization
import Testing

extension `A server` {
  struct `answering` {
    /// Chooses the response by the path.
    static let handler: HTTPHandler = { request, respond in
      switch request.target.path {
      case "/stream":
        respond(HTTPResponse(200, body: .stream(ScriptedStream([text("ab"), .finished]))))
      case "/late": respond(HTTPResponse(200, body: .deferred(Late())))
      case "/204": respond(HTTPResponse(204, body: .bytes([1, 2, 3])))
      case "/304": respond(HTTPResponse(304, headers: ["ETag": "\"1\""], body: .bytes([1, 2, 3])))
      case "/304-empty": respond(HTTPResponse(304))
      case "/304-length": respond(HTTPResponse(304, headers: ["Content-Length": "7"]))
      case "/100": respond(HTTPResponse(100))
      case "/twice":
        respond(HTTPResponse(200, json: [0x31]))
        respond(HTTPResponse(500))
      case "/never": break
      case "/bad-header":
        respond(HTTPResponse(200, headers: ["X-Bad": "a\r\nX-Evil: 1", "X-Always": "mine"]))
      default: respond(HTTPResponse(200, json: Array("{}".utf8)))
      }
    }

    /// A response that gets its body and a header when it is sent.
    private struct Late: DeferredResponse {
      func complete(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.headers.append("Content-Encoding", "gzip")
        response.body = .bytes(Array("late".utf8))
        return response
      }
    }

    @Test func `completes a deferred response when it sends it`() async throws {
      try await serving(handler: Self.handler) { server in
        let client = try RawClient(server.port)
        for _ in 0..<2 {
          client.request("GET /late")
          let answer = try client.response()
          #expect(answer?.text == "late" && answer?["Content-Length"] == "4")
          #expect(answer?.count("Content-Encoding") == 1)
        }
        client.request("HEAD /late")
        let head = try client.response(toHead: true)
        #expect(head?["Content-Length"] == "4" && head?["Content-Encoding"] == "gzip")
        client.request("GET /")
        #expect(try client.response()?.text == "{}")
      }
    }

    @Test func `sends the whole problem of a refused request, even after a HEAD`() async throws {
      try await serving(handler: Self.handler) { server in
        let client = try RawClient(server.port)
        client.request("HEAD /")
        #expect(try client.response(toHead: true)?.status == 200)
        client.send("GET / HTTP/1.1\r\n\r\n")
        #expect(try client.response()?.text.contains("bad-host") == true)
      }
    }

    @Test(arguments: ["/", "/stream", "/204", "/304", "/304-length", "/twice"])
    func `sends only a head to HEAD`(_ path: String) async throws {
      try await serving(handler: Self.handler) { server in
        let client = try RawClient(server.port)
        client.request("HEAD \(path)")
        let head = try client.response(toHead: true)
        if path == "/" { #expect(head?["Content-Length"] == "2") }
        if path == "/stream" {
          #expect(head?["Content-Length"] == nil && head?["Transfer-Encoding"] == nil)
          // Without a length, the connection's end is the response's end.
          #expect(head?["Connection"] == "close")
          #expect(try client.byte() == nil)
          return
        }
        client.request("GET /")
        #expect(try client.response()?.text == "{}")
      }
    }

    @Test func `sends no body with 204 and 304`() async throws {
      try await serving(handler: Self.handler) { server in
        let client = try RawClient(server.port)
        client.request("GET /204")
        let empty = try client.response()
        #expect(empty?.status == 204 && empty?["Content-Length"] == nil)
        client.request("GET /304")
        let same = try client.response()
        #expect(same?.status == 304 && same?["Content-Length"] == "3" && same?["ETag"] == "\"1\"")
        client.request("GET /304-length")
        #expect(try client.response()?["Content-Length"] == "7")
        client.request("GET /304-empty")
        let bare = try client.response()
        #expect(bare?.status == 304 && bare?["Content-Length"] == nil)
        #expect(bare?["Connection"] == "close")
        #expect(try client.byte() == nil)
      }
    }

    @Test func `sends shared bytes to all clients from one copy, and frees it after the last`()
      async throws
    {
      let body = Mutex<SharedBytes?>(
        SharedBytes((0..<8 << 20).map { UInt8(truncatingIfNeeded: $0) })
      )
      weak let owner = body.withLock { $0?.owner }
      try await serving(handler: { request, respond in
        guard let bytes = body.withLock({ $0 }) else { return }
        let part = request.target.path == "/part" ? bytes[1..<4] : bytes
        respond(HTTPResponse(200, body: .shared(part)))
      }) { server in
        let clients = try (0..<4).map { _ in try RawClient(server.port) }
        for client in clients {
          client.request("HEAD /")
          #expect(try client.response(toHead: true)?["Content-Length"] == "\(8 << 20)")
          client.request("GET /part")
          #expect(try client.response()?.body == [1, 2, 3])
          client.request("GET /")
          #expect(try client.head()?.status == 200)
        }
        // From here on, only the responses hold the bytes, and no client has read them.
        body.withLock { $0 = nil }
        #expect(owner != nil)
        for client in clients { #expect(try client.read(8 << 20).suffix(2) == [0xfe, 0xff]) }
      }
      #expect(owner == nil)
    }

    @Test func `answers 500 for a status below 200`() async throws {
      try await serving(handler: Self.handler) { server in
        let client = try RawClient(server.port)
        client.request("GET /100")
        #expect(try client.response()?.status == 500)
      }
    }

    @Test func `answers 500 if the handler drops its responder`() async throws {
      try await serving(handler: Self.handler) { server in
        let client = try RawClient(server.port)
        client.request("GET /never")
        let response = try client.response()
        #expect(response?.status == 500)
        #expect(response?["Content-Type"] == "application/problem+json")
      }
    }

    @Test func `answers 500 if a kept responder is released unused`() async throws {
      let kept = Mutex<(any HTTPResponder)?>(nil)
      let called = Signal()
      try await serving(handler: { _, respond in
        kept.withLock { $0 = respond }
        called.set()
      }) { server in
        let client = try RawClient(server.port)
        client.request("GET /")
        try called.wait()
        kept.withLock { $0 = nil }
        #expect(try client.response()?.status == 500)
      }
    }

    @Test func `ignores a second answer`() async throws {
      try await serving(handler: Self.handler) { server in
        let client = try RawClient(server.port)
        client.request("GET /twice")
        #expect(try client.response()?.text == "1")
        client.request("GET /")
        #expect(try client.response()?.text == "{}")
      }
    }

    @Test func `adds its own headers to responses that lack them`() async throws {
      let messages = Mutex<[String]>([])
      try await serving(
        {
          $0.responseHeaders = [
            .init(name: "x-always", value: "ours"), .init(name: "X-Too", value: "yes"),
          ]
          $0.log = { message in messages.withLock { $0.append(message) } }
        },
        handler: Self.handler
      ) { server in
        let client = try RawClient(server.port)
        client.request("GET /")
        let response = try client.response()
        #expect(response?["X-Always"] == "ours" && response?["X-Too"] == "yes")
        client.request("GET /bad-header")
        let other = try client.response()
        #expect(other?["X-Always"] == "mine" && other?.count("X-Always") == 1)
        #expect(other?["X-Too"] == "yes")
        #expect(other?["X-Bad"] == nil && other?["X-Evil"] == nil)
        #expect(messages.withLock { $0 }.contains { $0.contains("X-Bad") })
      }
    }

    @Test func `takes answers from other threads, a thousand at once`() async throws {
      let waiting = Mutex<[(Int, any HTTPResponder)]>([])
      try await serving(handler: { request, respond in
        let number = Int(request.target.segments[0]) ?? -1
        Thread.detachNewThread {
          respond(HTTPResponse(200, json: Array("\(number)".utf8)))
        }
        waiting.withLock { $0.removeAll() }
      }) { server in
        let clients = try (0..<20).map { _ in try RawClient(server.port) }
        for (index, client) in clients.enumerated() {
          client.send(
            (0..<50).map { "GET /\(index * 50 + $0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()
          )
        }
        for (index, client) in clients.enumerated() {
          for number in 0..<50 {
            #expect(try client.response()?.text == "\(index * 50 + number)")
          }
        }
      }
    }
  }
}
