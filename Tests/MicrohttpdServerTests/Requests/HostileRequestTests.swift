import FusionHTTPMessages
import FusionMicrohttpdServer
import FusionRawHTTP
import Synchronization
import Testing

extension `A server` {
  struct `reading hostile requests` {
    @Test func `is tested with at least sixty`() {
      #expect(hostileRequests.count >= 60)
    }

    @Test(arguments: hostileRequests)
    func `answers each as the table says, and no smuggled one`(_ row: HostileRequest)
      async throws
    {
      let paths = Mutex<[String]>([])
      try await serving {
        $0.responseHeaders = [.init(name: "X-Always", value: "yes")]
        if row.outcome == .cut {
          $0.headDeadline = .milliseconds(300)
          $0.bodyDeadline = .milliseconds(300)
        }
      } handler: { request, respond in
        paths.withLock { $0.append(request.target.path) }
        respond(HTTPResponse(200, json: Array("{}".utf8)))
      } _: { server in
        let client = try RawClient(server.port)
        client.send(row.bytes)
        if row.outcome == .answered {
          #expect(try client.response()?.status == 200)
          // The next request on the connection is the one sent next, not a smuggled one.
          client.request("GET /next")
          #expect(try client.response()?.text == "{}")
          #expect(paths.withLock { $0 } == ["/", "/next"])
        } else if row.outcome == .answeredLast {
          let answer = try client.response()
          #expect(answer?.status == 200 && answer?["Connection"] == "close")
          #expect(try client.byte() == nil)
          #expect(paths.withLock { $0 } == ["/"])
        } else {
          try check(row.outcome, client)
          #expect(paths.withLock { $0 } == [])
        }
        var status: Int?
        // With a short head deadline, this request may be cut, too, on a busy machine.
        for _ in 0..<10 where status == nil {
          let other = try RawClient(server.port)
          other.request("GET /other")
          status = try other.response()?.status
        }
        #expect(status == 200)
      }
    }

    private func check(_ outcome: HostileRequest.Outcome, _ client: RawClient) throws {
      switch outcome {
      case .refused(let status, let problem):
        let response = try client.response()
        #expect(response?.status == status)
        #expect(response?["Content-Type"] == "application/problem+json")
        #expect(response?.text.contains("\"/problems/\(problem)\"") == true)
        #expect(response?["X-Always"] == "yes" && response?["Connection"] == "close")
      case .library(let status):
        let response = try client.response()
        #expect(response?.status == status)
        #expect(response?["Connection"] == "close" && response?["X-Always"] == nil)
      case .libraryTwice(let status):
        let text = String(decoding: try client.readToEnd(), as: UTF8.self)
        #expect(
          text.split(separator: "\r\n").filter { $0.hasPrefix("HTTP/1.1 \(status)") }.count == 2
        )
        #expect(!text.contains("X-Always"))
      case .cut, .answered, .answeredLast:
        break
      }
      #expect(try client.byte() == nil)
    }
  }
}
