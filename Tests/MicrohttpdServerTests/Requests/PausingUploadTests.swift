import FusionHTTPMessages
import FusionRawHTTP
import Synchronization
import Testing

@testable import FusionMicrohttpdServer

private let threads = QueueExecutor()
private let head =
  " HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"

private func chunk(_ text: String) -> String {
  "\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n"
}

extension `A server` {
  struct `reading a body whose client may pause` {
    /// The failures of bodies.
    private final class Failures: Sendable {
      let last = Mutex<(any Error)?>(nil)
      let came = Signal()
      let began = Signal()
    }

    private let failures = Failures()

    /// Answers with the body, but refuses at once whatever is sent to `/refused`, and a body from the first `x` on.
    private func reading(_ body: (MicrohttpdServer) async throws -> Void) async throws {
      try await serving {
        $0.streamedBody = { _ in IncomingBody.Limits(bytes: .max, mayPause: true) }
        $0.bodyDeadline = .milliseconds(100)
        $0.idleTimeout = .seconds(1)
        $0.responseHeaders = [.init(name: "X-Fixed", value: "yes")]
      } handler: { [failures] request, respond in
        if request.target.path == "/refused" { return respond(HTTPResponse(403)) }
        Task(executorPreference: threads) {
          failures.began.set()
          var all: [UInt8] = []
          do {
            while let part = try await request.incoming?.next() {
              all += part
              if part.contains(UInt8(ascii: "x")) {
                return respond(HTTPResponse(422, json: Array("{}".utf8)))
              }
            }
            respond(HTTPResponse(200, body: .bytes(all)))
          } catch {
            failures.last.withLock { $0 = error }
            failures.came.set()
            respond(HTTPResponse(400))
          }
        }
      } _: { server in
        try await body(server)
      }
    }

    @Test func `waits longer than for other bodies`() async throws {
      try await reading { server in
        let client = try RawClient(server.port)
        client.send("POST /" + head + chunk("one"))
        #expect(client.isQuiet(milliseconds: 2_500))
        client.send(chunk("two") + "0\r\n\r\n")
        let response = try client.response()
        #expect(response?.text == "onetwo" && response?["Connection"] == "close")
        #expect(try client.readToEnd() == [])
      }
    }

    @Test func `answers while the client pauses`() async throws {
      try await reading { server in
        let client = try RawClient(server.port)
        client.send("POST /" + head + chunk("one") + chunk("x"))
        let response = try #require(try client.response())
        #expect(response.status == 422 && response.text == "{}")
        #expect(response["Connection"] == "close" && response["X-Fixed"] == "yes")
        #expect(response.count("X-Request-Id") == 1 && response["Content-Type"] != nil)
        #expect(try client.readToEnd() == [])
      }
    }

    @Test func `answers a client that has sent nothing of its body`() async throws {
      try await reading { server in
        for framing in ["Content-Length: 9\r\n", "Transfer-Encoding: chunked\r\n"] {
          let client = try RawClient(server.port)
          client.send("POST /refused HTTP/1.1\r\nHost: localhost\r\n\(framing)\r\n")
          #expect(try client.response()?.status == 403)
        }
      }
    }

    @Test func `answers a client that sends on`() async throws {
      try await reading { server in
        let client = try RawClient(server.port)
        client.send("POST /" + head + chunk("x"))
        let part = chunk(String(repeating: "a", count: 1 << 16))
        var isOpen = true
        for _ in 0..<100 where isOpen { isOpen = client.send(Array(part.utf8)) }
        #expect(try client.response()?.status == 422)
      }
    }

    @Test func `notices that the client has left`() async throws {
      try await reading { server in
        do {
          let client = try RawClient(server.port)
          client.send("POST /" + head + chunk("one"))
        }
        try failures.came.wait()
        #expect(failures.last.withLock { $0 } as? IncomingBody.Failure == .incomplete)
      }
    }

    @Test func `stops`() async throws {
      try await reading { server in
        let client = try RawClient(server.port)
        client.send("POST /" + head + chunk("one"))
        try failures.began.wait()
        await server.stop(within: .zero)
        try failures.came.wait()
      }
    }
  }
}
