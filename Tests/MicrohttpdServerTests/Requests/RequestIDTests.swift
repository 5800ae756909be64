import FusionHTTPMessages
import FusionMicrohttpdServer
import FusionRawHTTP
import Synchronization
import Testing

extension `A server` {
  struct `identifying requests` {
    private func handler(_ seen: Seen) -> HTTPHandler {
      { request, respond in
        seen.ids.withLock { $0.append(request.id.description) }
        switch request.target.path {
        case "/none": break
        case "/problem": respond(Problem.noAnswer.response)
        case "/stream": respond(HTTPResponse(200, body: .stream(ScriptedStream([.finished]))))
        default: respond(HTTPResponse(200))
        }
      }
    }

    @Test(arguments: ["/", "/problem", "/stream", "/none"], ["GET", "HEAD"])
    func `sends the ID with every response`(path: String, method: String) async throws {
      let seen = Seen()
      try await serving(handler: handler(seen)) { server in
        let own = try RawClient(server.port)
        own.send("\(method) \(path) HTTP/1.1\r\nHost: a\r\nX-Request-Id: a-1\r\n\r\n")
        let answer = try own.response(toHead: method == "HEAD")
        #expect(answer?["X-Request-Id"] == "a-1" && answer?.count("X-Request-Id") == 1)
        let made = try RawClient(server.port)
        made.send("\(method) \(path) HTTP/1.1\r\nHost: a\r\nX-Request-Id: a b\r\n\r\n")
        let other = try made.response(toHead: method == "HEAD")
        let id = try #require(other?["X-Request-Id"])
        #expect(seen.ids.withLock { $0 } == ["a-1", id])
      }
    }

    @Test
    func `sends the ID of a request that it rejects, and passes it to the handler of rejections`()
      async throws
    {
      let rejected = Mutex<[RejectedRequest]>([])
      try await serving({
        $0.maxBodyBytes = 3
        $0.rejecting = { request in
          rejected.withLock { $0.append(request) }
          return request.problem.response
        }
      }) { server in
        let own = "Host: a\r\nOrigin: b\r\nX-Request-Id: a-1\r\n"
        for (text, status, id) in [
          ("POST / HTTP/1.1\r\n\(own)Content-Length: 4\r\n\r\n", 413, "a-1"),
          (
            "POST / HTTP/1.1\r\n\(own)Transfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n",
            413, "a-1"
          ),
          ("GET / HTTP/1.1\r\nHost: a, b\r\nX-Request-Id: a-1\r\n\r\n", 400, nil),
          ("BREW / HTTP/1.1\r\n\(own)\r\n", 501, nil),
        ] {
          let client = try RawClient(server.port)
          client.send(text)
          let answer = try client.response()
          let request = try #require(rejected.withLock { $0.popLast() })
          #expect(answer?.status == status && answer?["Connection"] == "close")
          #expect(answer?["X-Request-Id"] == request.id.description)
          // Nothing is taken from a refused head.
          #expect(id == nil ? request.id.description != "a-1" : request.id.description == id)
          #expect((request.method == .post) == (id != nil))
          #expect(request.headers["Origin"] == (id == nil ? nil : "b"))
        }
      }
    }
  }
}

private final class Seen: Sendable {
  let ids = Mutex<[String]>([])
}
