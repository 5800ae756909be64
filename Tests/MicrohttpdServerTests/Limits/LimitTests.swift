import FusionHTTPMessages
import FusionMicrohttpdServer
import FusionRawHTTP
import Synchronization
import Testing

extension `A server` {
  struct `setting limits` {
    @Test func `cuts a client that sends its head too slowly`() async throws {
      try await serving({ $0.headDeadline = .milliseconds(400) }) { server in
        let client = try RawClient(server.port)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n")
        #expect(client.drip("X: y\r\n", every: 50, times: 200))
        #expect(try client.byte() == nil)
      }
    }

    @Test func `cuts a client that sends the head of a later request too slowly`() async throws {
      try await serving({ $0.headDeadline = .milliseconds(400) }) { server in
        let client = try RawClient(server.port)
        client.request("GET /")
        #expect(try client.response()?.status == 200)
        #expect(client.drip("G", every: 50, times: 200))
        #expect(try client.byte() == nil)
      }
    }

    @Test func `does not apply the head deadline to an idle connection`() async throws {
      try await serving({ $0.headDeadline = .milliseconds(100) }) { server in
        let fresh = try RawClient(server.port)
        let kept = try RawClient(server.port)
        kept.request("GET /")
        #expect(try kept.response()?.status == 200)
        // Ten times the deadline.
        #expect(kept.isQuiet(milliseconds: 1000))
        for client in [fresh, kept] {
          client.request("GET /")
          #expect(try client.response()?.status == 200)
        }
      }
    }

    @Test func `cuts a client that sends its body too slowly`() async throws {
      try await serving({ $0.bodyDeadline = .milliseconds(400) }) { server in
        let client = try RawClient(server.port)
        client.request("POST /", "Content-Length: 1000\r\n")
        #expect(client.drip("x", every: 50, times: 200))
        #expect(try client.readToEnd().isEmpty)
      }
    }

    @Test func `does not count the handler's time towards a request's deadlines`() async throws {
      let held = Mutex<(any HTTPResponder)?>(nil)
      try await serving(
        {
          $0.headDeadline = .milliseconds(100)
          $0.bodyDeadline = .milliseconds(100)
        },
        handler: { _, respond in held.withLock { $0 = respond } }
      ) { server in
        let client = try RawClient(server.port)
        client.request("POST /", body: "abc")
        #expect(client.isQuiet(milliseconds: 1000))
        held.withLock { $0.take() }?(HTTPResponse(204))
        #expect(try client.response()?.status == 204)
      }
    }

    @Test func `cuts a client that reads a response too slowly, and discards the rest`()
      async throws
    {
      let body = SharedBytes([UInt8](repeating: 0x78, count: 16 << 20))
      try await serving(
        {
          $0.answerDeadline = .milliseconds(200)
          $0.slowestTransfer = 1 << 20
        },
        handler: { _, respond in respond(HTTPResponse(200, body: .shared(body))) }
      ) { server in
        let client = try RawClient(server.port)
        client.request("GET /")
        // A byte now and then, so that the connection is never idle for long.
        #expect(client.sip(every: 20, times: 500))
      }
    }

    @Test func `never cuts a client that reads fast enough`() async throws {
      let body = SharedBytes([UInt8](repeating: 0x78, count: 16 << 20))
      try await serving(
        {
          $0.answerDeadline = .milliseconds(100)
          $0.slowestTransfer = 1
        },
        handler: { _, respond in respond(HTTPResponse(200, body: .shared(body))) }
      ) { server in
        let client = try RawClient(server.port)
        client.request("GET /")
        #expect(try client.response()?.body.count == body.count)
      }
    }

    @Test func `closes the connection of a client that half-closes right after its request`()
      async throws
    {
      try await serving({ $0.bodyDeadline = .milliseconds(800) }) { server in
        // All send before the server answers, so that most ends come with their requests.
        let clients = try (0..<20).map { number in
          let client = try RawClient(server.port)
          client.request("GET /", body: "abc")
          if number % 2 == 0 { client.send("GET /again HTTP/1.1\r\nHost:") }
          client.finishSending()
          return client
        }
        for client in clients {
          #expect(try client.response()?.text == "GET /  abc")
          #expect(try client.byte() == nil)
        }
      }
    }

    @Test(arguments: [false, true]) func `answers a half-closed client that waits`(
      besideAnother isNotAlone: Bool
    ) async throws {
      let held = Mutex<(any HTTPResponder)?>(nil)
      try await serving(
        {
          $0.headDeadline = .milliseconds(100)
          $0.threads = 1
        },
        handler: { request, respond in
          if request.target.path == "/" {
            held.withLock { $0 = respond }
          } else {
            respond(HTTPResponse(200))
          }
        }
      ) { server in
        // The library treats the connection that has been silent longest differently.
        let other = isNotAlone ? try RawClient(server.port) : nil
        other?.request("GET /other")
        _ = try other?.response()
        let client = try RawClient(server.port)
        client.request("GET /")
        client.finishSending()
        #expect(client.isQuiet(milliseconds: 1000))
        held.withLock { $0.take() }?(HTTPResponse(204))
        #expect(try client.response()?.status == 204)
        #expect(try client.byte() == nil)
      }
    }

    @Test
    func `tells a pending request, but not the answered one before, that the client has left`()
      async throws
    {
      let (first, second) = (Signal(), Signal())
      let held = Mutex<(any HTTPResponder)?>(nil)
      try await serving(handler: { request, respond in
        let isFirst = request.target.path == "/first"
        respond.whenClientLeaves { (isFirst ? first : second).set() }
        if isFirst { respond(HTTPResponse(204)) } else { held.withLock { $0 = respond } }
      }) { server in
        do {
          let client = try RawClient(server.port)
          client.request("GET /first")
          #expect(try client.response()?.status == 204)
          client.request("GET /second")
        }
        try second.wait()
        #expect(first.times == 0)
        held.withLock { $0.take() }?(HTTPResponse(204))
      }
    }

    @Test func `does not tell an answered request that its client has left`() async throws {
      let left = Signal()
      try await serving(handler: { _, respond in
        respond.whenClientLeaves { left.set() }
        respond(HTTPResponse(204))
      }) { server in
        let client = try RawClient(server.port)
        client.request("GET /")
        #expect(try client.response()?.status == 204)
      }
      #expect(left.times == 0)
    }

    @Test func `tells a pending request at once of a client that left before`() async throws {
      let (begun, left) = (Signal(), Signal())
      let held = Mutex<(any HTTPResponder)?>(nil)
      try await serving(handler: { _, respond in
        held.withLock { $0 = respond }
        begun.set()
      }) { server in
        let client = try RawClient(server.port)
        client.request("GET /")
        try begun.wait()
      }
      held.withLock { $0.take() }?.whenClientLeaves { left.set() }
      #expect(left.times == 1)
    }

    @Test func `closes an idle connection after its timeout`() async throws {
      try await serving({ $0.idleTimeout = .seconds(1) }) { server in
        let client = try RawClient(server.port)
        client.request("GET /")
        #expect(try client.response()?.status == 200)
        #expect(try client.byte() == nil)
      }
    }

    @Test func `turns away connections beyond the limit`() async throws {
      let place = try SocketPlace()
      try await serving({
        $0.socketPath = place.path
        $0.connectionLimit = 5
      }) { server in
        #expect(server.effectiveConnectionLimit == 5)
        var clients: [RawClient] = []
        for _ in 0..<5 {
          let client = try RawClient(path: place.path)
          client.request("GET /")
          #expect(try client.response()?.status == 200)
          clients.append(client)
        }
        let sixth = try RawClient(path: place.path)
        sixth.request("GET /")
        let response = try sixth.response()
        #expect(response?.status == 503)
        #expect(response?["Retry-After"] != nil && response?["Connection"] == "close")
        #expect(try sixth.byte() == nil)
        clients[0].request("GET /")
        #expect(try clients[0].response()?.status == 200)
        // Far beyond the limit, connections are closed without a response.
        let flood = try (0..<40).map { _ in try RawClient(path: place.path) }
        #expect(try flood.last?.byte() == nil)
      }
    }
  }

  struct `stopping` {
    @Test func `waits for a pending response`() async throws {
      let held = Mutex<(any HTTPResponder)?>(nil)
      let called = Signal()
      let server = try MicrohttpdServer(.init(port: 0)) { _, respond in
        held.withLock { $0 = respond }
        called.set()
      }
      let client = try RawClient(server.port)
      client.request("GET /")
      try called.wait()
      server.quiesce()
      let stopped = Signal()
      let stop = Task {
        await server.stop(within: .seconds(10))
        stopped.set()
      }
      #expect(stopped.times == 0)
      held.withLock { $0.take() }?(HTTPResponse(200, json: [0x31]))
      let response = try client.response()
      #expect(response?.text == "1" && response?["Connection"] == "close")
      await stop.value
    }

    @Test func `answers 503 to requests that are pending at the timeout`() async throws {
      let held = Mutex<[any HTTPResponder]>([])
      let called = Signal()
      let server = try MicrohttpdServer(.init(port: 0)) { _, respond in
        held.withLock { $0.append(respond) }
        called.set()
      }
      let client = try RawClient(server.port)
      client.request("GET /")
      try called.wait()
      await server.stop(within: .milliseconds(50))
      let answer = try #require(try client.response())
      #expect(answer.status == 503)
      #expect(answer.text.contains(#""type":"/problems/store-in-doubt""#))
      // A later response is ignored.
      held.withLock { $0 }.first?(HTTPResponse(200))
    }

    @Test func `many times is the same as once`() async throws {
      let server = try MicrohttpdServer(.init(port: 0), handler: echo)
      let client = try RawClient(server.port)
      await withTaskGroup { group in
        for _ in 0..<10 { group.addTask { await server.stop(within: .seconds(1)) } }
      }
      await server.stop(within: .seconds(1))
      #expect(try client.byte() == nil)
    }

    @Test func `refuses new connections first, and closes open ones after their next response`()
      async throws
    {
      try await serving { server in
        let client = try RawClient(server.port)
        client.request("GET /")
        #expect(try client.response()?["Connection"] == nil)
        server.quiesce()
        server.quiesce()
        #expect(throws: RawClient.Silence.self) { try RawClient(server.port) }
        client.request("GET /")
        let last = try client.response()
        #expect(last?.status == 200 && last?["Connection"] == "close")
        #expect(try client.byte() == nil)
        // The port is free for the next server.
        var configuration = MicrohttpdServer.Configuration(port: server.port)
        configuration.threads = 1
        let next = try MicrohttpdServer(configuration, handler: echo)
        let other = try RawClient(next.port)
        other.request("GET /")
        #expect(try other.response()?.status == 200)
        await next.stop(within: .seconds(1))
      }
    }
  }
}
