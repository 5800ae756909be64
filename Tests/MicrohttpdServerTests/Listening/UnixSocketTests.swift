import FusionHTTPMessages
import FusionRawHTTP
import Glibc
import Synchronization
import Testing

@testable import FusionMicrohttpdServer

extension `A server` {
  struct `on a Unix socket` {
    private let place: SocketPlace

    init() throws { place = try SocketPlace() }

    private func listening(
      _ adjust: (inout MicrohttpdServer.Configuration) -> Void = { _ in },
      streamsBy writer: StreamWriter = .loop,
      handler: @escaping HTTPHandler = echo,
      _ body: (MicrohttpdServer) async throws -> Void
    ) async throws {
      try await serving(
        {
          $0.socketPath = place.path
          adjust(&$0)
        },
        streamsBy: writer,
        handler: handler,
        body
      )
    }

    private func refusal(_ path: String) -> String? {
      do throws(StartError) {
        var configuration = MicrohttpdServer.Configuration()
        configuration.socketPath = path
        _ = try MicrohttpdServer(configuration, handler: echo)
        return nil
      } catch {
        return error.description
      }
    }

    @Test func `is open to its owner and group, and removes its file when it stops`() async throws {
      try await listening { server in
        let client = try RawClient(path: place.path)
        for _ in 0..<2 {
          client.request("POST /a?b=c", body: "d")
          #expect(try client.response()?.text == "POST /a b=c d")
        }
        var file = stat()
        #expect(lstat(place.path, &file) == 0)
        #expect(file.st_mode == S_IFSOCK | 0o660)
        #expect(server.port == 0)
      }
      #expect(!place.exists)
    }

    @Test func `removes its file if it is released without a stop`() throws {
      var configuration = MicrohttpdServer.Configuration()
      configuration.socketPath = place.path
      var server: MicrohttpdServer? = try MicrohttpdServer(configuration, handler: echo)
      let client = try RawClient(path: place.path)
      client.request("GET /")
      #expect(try client.response()?.status == 200)
      #expect(server != nil)
      server = nil
      #expect(try client.byte() == nil)
      #expect(!place.exists)
    }

    @Test func `replaces the file of a server that was killed`() async throws {
      place.leaveStale()
      #expect(place.exists)
      try await listening { _ in
        let client = try RawClient(path: place.path)
        client.request("GET /")
        #expect(try client.response()?.status == 200)
      }
    }

    @Test func `replaces neither the file of a running server nor any other file`() async throws {
      try await listening { _ in
        let text = "unix:\(place.path) cannot be listened on: another process listens there. "
        #expect(refusal(place.path)?.hasPrefix(text) == true)
        let client = try RawClient(path: place.path)
        client.request("GET /")
        #expect(try client.response()?.status == 200)
      }
      let file = open(place.path, O_CREAT | O_WRONLY, 0o600)
      close(file)
      #expect(refusal(place.path)?.contains("a file that is not a socket is in the way") == true)
      #expect(place.exists)
      #expect(refusal(place.folder)?.contains("a file that is not a socket is in the way") == true)
    }

    @Test func `says what is wrong with a path`() {
      let long = place.folder + "/" + String(repeating: "x", count: 107 - place.folder.utf8.count)
      #expect(long.utf8.count == 108)
      #expect(
        refusal(long)?.contains("the path has 108 bytes. Give one of 107 at the most") == true
      )
      #expect(refusal("")?.contains("the path has 0 bytes") == true)
      #expect(refusal("/nowhere/http.sock")?.contains("its folder does not exist") == true)
      let longest = String(long.dropLast())
      #expect(refusal(longest) == nil)
    }

    @Test func `does not remove a file that has replaced its own`() async throws {
      try await listening { _ in
        unlink(place.path)
        place.leaveStale()
      }
      #expect(place.exists)
    }

    @Test func `refuses new connections while it stops, and answers open ones`() async throws {
      try await listening { server in
        let client = try RawClient(path: place.path)
        client.request("GET /")
        #expect(try client.response()?["Connection"] == nil)
        server.quiesce()
        #expect(!place.exists)
        #expect(throws: RawClient.Silence.self) { try RawClient(path: place.path) }
        client.request("GET /")
        #expect(try client.response()?["Connection"] == "close")
        #expect(try client.byte() == nil)
        // The path is free for the next server.
        #expect(refusal(place.path) == nil)
      }
    }

    @Test(arguments: StreamWriter.allCases)
    func `streams to the end, or until its client leaves`(by writer: StreamWriter) async throws {
      let large = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 ^ ($0 >> 8)) }
      let opened = Mutex<[ScriptedStream]>([])
      try await listening(
        streamsBy: writer,
        handler: { request, respond in
          let steps: [BodyStep] = [.chunk(BodyChunk(large)), text("a")]
          let end: [BodyStep] = request.target.path == "/whole" ? [.finished] : []
          let stream = ScriptedStream(steps + end)
          opened.withLock { $0.append(stream) }
          respond(HTTPResponse(200, body: .stream(stream)))
        }
      ) { _ in
        let whole = try RawClient(path: place.path)
        whole.request("GET /whole")
        let response = try whole.response()
        #expect(response?.body == large + [0x61] && response?.isComplete == true)
        guard writer == .loop else { return }
        var client: RawClient? = try RawClient(path: place.path)
        client?.request("GET /open")
        _ = try client?.head()
        #expect(try client?.chunks(large.count + 1).count == large.count + 1)
        client = nil
        try opened.withLock { $0.last }?.ended.wait()
      }
    }

    @Test func `closes the connection of a client that half-closes right after its request`()
      async throws
    {
      try await listening { _ in
        let clients = try (0..<20).map { number in
          let client = try RawClient(path: place.path)
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

    @Test func `cuts a client that sends its first or a later head too slowly`() async throws {
      try await listening({
        $0.idleTimeout = .seconds(1)
        $0.headDeadline = .milliseconds(200)
      }) { _ in
        let first = try RawClient(path: place.path)
        #expect(first.drip("G", every: 50, times: 200))
        #expect(try first.byte() == nil)
        let later = try RawClient(path: place.path)
        later.request("GET /")
        #expect(try later.response()?.status == 200)
        #expect(later.drip("G", every: 50, times: 200))
        #expect(try later.byte() == nil)
      }
    }

    @Test func `cuts a client that sends its body too slowly`() async throws {
      try await listening({ $0.bodyDeadline = .milliseconds(400) }) { _ in
        let client = try RawClient(path: place.path)
        client.request("POST /", "Content-Length: 1000\r\n")
        #expect(client.drip("x", every: 50, times: 200))
        #expect(try client.readToEnd().isEmpty)
      }
    }

    @Test func `cuts a client that reads a response too slowly`() async throws {
      let body = SharedBytes([UInt8](repeating: 0x78, count: 16 << 20))
      try await listening(
        { $0.idleTimeout = .seconds(1) },
        handler: { _, respond in respond(HTTPResponse(200, body: .shared(body))) }
      ) { _ in
        let client = try RawClient(path: place.path)
        client.request("GET /")
        // A byte now and then, so that the connection is never idle for long.
        #expect(client.sip(every: 20, times: 500))
      }
    }

    @Test func `turns away connections beyond the limit`() async throws {
      try await listening({ $0.connectionLimit = 2 }) { _ in
        let clients = try (0..<2).map { _ in try RawClient(path: place.path) }
        for client in clients {
          client.request("GET /")
          #expect(try client.response()?.status == 200)
        }
        let third = try RawClient(path: place.path)
        third.request("GET /")
        #expect(try third.response()?.status == 503)
      }
    }
  }
}
