import FusionHTTPMessages
import FusionRawHTTP
import Synchronization
import Testing

@testable import FusionMicrohttpdServer

extension `A server` {
  struct `streaming` {
    private func streaming(
      _ stream: ScriptedStream,
      _ writer: StreamWriter,
      _ body: (MicrohttpdServer, RawClient) async throws -> Void
    ) async throws {
      try await serving(
        streamsBy: writer,
        handler: { _, respond in
          respond(HTTPResponse(200, headers: ["X": "y"], body: .stream(stream)))
        }
      ) { server in
        let client = try RawClient(server.port)
        client.request("GET /")
        try await body(server, client)
      }
    }

    @Test(arguments: StreamWriter.allCases)
    func `sends ready steps at once, and later ones when it is woken`(by writer: StreamWriter)
      async throws
    {
      let stream = ScriptedStream([text("one")])
      try await streaming(stream, writer) { _, client in
        let head = try client.head()
        #expect(head?["Transfer-Encoding"] == "chunked" && head?["Connection"] == "close")
        #expect(try client.chunk() == Array("one".utf8))
        stream.say(text("two"), text("three"))
        #expect(try client.chunks(8) == Array("twothree".utf8))
        stream.say(text("four"), .finished)
        #expect(try client.chunk() == Array("four".utf8))
        #expect(try client.chunk() == [])
        #expect(try client.byte() == nil)
        try stream.ended.wait()
        stream.say(text("five"))
        #expect(stream.opened.times == 1 && stream.ended.times == 1)
      }
    }

    @Test(arguments: StreamWriter.allCases)
    func `splits large steps to fit its buffers`(by writer: StreamWriter) async throws {
      let large = [UInt8](repeating: 0x61, count: 300_000)
      let stream = ScriptedStream([.chunk(BodyChunk(large)), text("b"), .finished])
      try await streaming(stream, writer) { _, client in
        let body = try client.response()?.body
        #expect(body == large + [0x62])
      }
    }

    @Test(arguments: StreamWriter.allCases)
    func `sends thousands of ready steps without a wake`(by writer: StreamWriter)
      async throws
    {
      let count = 5000
      let stream = ScriptedStream([BodyStep](repeating: text("a"), count: count) + [.finished])
      try await streaming(stream, writer) { _, client in
        let response = try client.response()
        #expect(response?.body.count == count)
      }
    }

    @Test(arguments: StreamWriter.allCases)
    func `loses none of thousands of wakes`(by writer: StreamWriter) async throws {
      let stream = ScriptedStream()
      try await streaming(stream, writer) { _, client in
        _ = try client.head()
        let speaker = Task.detached {
          for number in 0..<2000 { stream.say(text("\(number)\n")) }
          stream.say(.finished)
        }
        var body: [UInt8] = []
        while let chunk = try client.chunk(), !chunk.isEmpty { body += chunk }
        await speaker.value
        #expect(String(decoding: body, as: UTF8.self) == (0..<2000).map { "\($0)\n" }.joined())
      }
    }

    @Test(arguments: StreamWriter.allCases)
    func `ends a cancelled stream at once, whether its client reads or not`(by writer: StreamWriter)
      async throws
    {
      let (read, unread) = (ScriptedStream([text("one")]), ScriptedStream([text("one")]))
      try await serving(
        streamsBy: writer,
        handler: { request, respond in
          let stream = request.target.path == "/read" ? read : unread
          respond(HTTPResponse(200, body: .stream(stream)))
        }
      ) { server in
        let reader = try RawClient(server.port)
        reader.request("GET /read")
        _ = try reader.head()
        #expect(try reader.chunk() == Array("one".utf8))
        read.cancel()
        // The last chunk may be missing: the bytes before it may not have been acknowledged yet.
        #expect(try reader.chunk()?.isEmpty != false)
        #expect(try reader.byte() == nil)
        let other = try RawClient(server.port)
        other.request("GET /unread")
        _ = try other.head()
        #expect(try other.chunk() == Array("one".utf8))
        // More than the sockets take.
        unread.say(.chunk(BodyChunk([UInt8](repeating: 0x61, count: 64 << 20))))
        #expect(try other.read(10).count == 10)
        unread.cancel()
        try unread.ended.wait()
        // Keeps the connection open to here, with unread bytes.
        #expect(other.socket >= 0)
        for stream in [read, unread] {
          stream.cancel()
          #expect(stream.ended.times == 1)
        }
      }
    }

    @Test(arguments: StreamWriter.allCases)
    func `closes the stream when a write shows that its client has left`(by writer: StreamWriter)
      async throws
    {
      let stream = ScriptedStream([text("one")])
      try await serving(
        streamsBy: writer,
        handler: { _, respond in
          respond(HTTPResponse(200, body: .stream(stream)))
        }
      ) { server in
        var client: RawClient? = try RawClient(server.port)
        client?.request("GET /")
        _ = try client?.head()
        _ = try client?.chunk()
        client = nil
        // The first write is answered with a reset, a later one fails.
        var writes = stream.askedOrEnded.times
        while stream.ended.times == 0 {
          writes += 1
          stream.say(text("more"))
          try stream.askedOrEnded.wait(for: writes)
        }
        #expect(stream.ended.times == 1)
      }
    }

    @Test(arguments: StreamWriter.allCases)
    func `ends a stream over HTTP/1.0 with the connection`(by writer: StreamWriter) async throws {
      let stream = ScriptedStream([text("one"), text("two"), .finished])
      try await serving(
        streamsBy: writer,
        handler: { _, respond in
          respond(HTTPResponse(200, body: .stream(stream)))
        }
      ) { server in
        let client = try RawClient(server.port)
        client.send("GET / HTTP/1.0\r\n\r\n")
        #expect(try client.response()?.text == "onetwo")
        try stream.ended.wait()
      }
    }

    @Test(arguments: StreamWriter.allCases)
    func `opens no stream for HEAD`(by writer: StreamWriter) async throws {
      let stream = ScriptedStream([text("one")])
      try await serving(
        streamsBy: writer,
        handler: { _, respond in
          respond(HTTPResponse(200, body: .stream(stream)))
        }
      ) { server in
        let client = try RawClient(server.port)
        client.request("HEAD /")
        #expect(try client.response(toHead: true)?.status == 200)
        #expect(try client.byte() == nil)
        #expect(stream.opened.times == 0 && stream.ended.times == 0)
      }
    }

    @Test(arguments: StreamWriter.allCases)
    func `sends the final chunk of each open stream when it stops, and ends none twice`(
      by writer: StreamWriter
    ) async throws {
      let last = BodyChunk(Array("goodbye".utf8))
      let streams = [
        ScriptedStream([text("hello")], last: last),
        ScriptedStream([text("hello"), .finished], last: last),
      ]
      var configuration = MicrohttpdServer.Configuration(port: 0)
      configuration.takesOverStreams = writer == .loop
      let server = try MicrohttpdServer(configuration) { request, respond in
        let stream = streams[request.target.path == "/first" ? 0 : 1]
        respond(HTTPResponse(200, body: .stream(stream)))
      }
      let clients = try ["/first", "/second"].map { path in
        let client = try RawClient(server.port)
        client.request("GET \(path)")
        #expect(try client.head()?.status == 200)
        #expect(try client.chunk() == Array("hello".utf8))
        return client
      }
      #expect(try clients[1].chunk() == [])
      await server.stop(within: .seconds(5))
      #expect(try clients[0].chunk() == Array("goodbye".utf8))
      for client in clients { _ = try client.chunk() }
      #expect(try clients.allSatisfy { try $0.byte() == nil })
      #expect(streams.allSatisfy { $0.ended.times == 1 })
    }

    @Test(arguments: StreamWriter.allCases)
    func `ends five hundred streams cleanly when it stops`(by writer: StreamWriter) async throws {
      let streams = Mutex<[ScriptedStream]>([])
      var configuration = MicrohttpdServer.Configuration(port: 0)
      configuration.takesOverStreams = writer == .loop
      let server = try MicrohttpdServer(configuration) { _, respond in
        let stream = ScriptedStream([text("hello")])
        streams.withLock { $0.append(stream) }
        respond(HTTPResponse(200, body: .stream(stream)))
      }
      let clients = try (0..<500).map { _ in
        let client = try RawClient(server.port)
        client.request("GET /")
        return client
      }
      for client in clients {
        #expect(try client.head()?.status == 200)
        #expect(try client.chunk() == Array("hello".utf8))
      }
      await server.stop(within: .seconds(5))
      for client in clients {
        #expect(try client.chunk() == [])
        #expect(try client.byte() == nil)
      }
      let all = streams.withLock { $0 }
      #expect(all.count == 500 && all.allSatisfy { $0.ended.times == 1 })
      #expect(server.connections == 0)
    }
  }
}
