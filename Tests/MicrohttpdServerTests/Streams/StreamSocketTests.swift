import FusionHTTPMessages
import FusionRawHTTP
import Glibc
import Synchronization
import Testing

@testable import FusionMicrohttpdServer

extension `A server` {
  /// The effects on streams of what clients do to their sockets, with either writer.
  struct `streaming to a socket` {
    /// The streams that its handler has opened, each with the same first steps.
    private final class Streams: Sendable {
      let all = Mutex<[ScriptedStream]>([])
      let steps: [BodyStep]

      init(_ steps: [BodyStep] = [text("hello")]) { self.steps = steps }

      var handler: HTTPHandler {
        { [self] _, respond in
          let stream = ScriptedStream(steps)
          all.withLock { $0.append(stream) }
          respond(HTTPResponse(200, body: .stream(stream)))
        }
      }

      var last: ScriptedStream? { all.withLock { $0.last } }
    }

    private func open(_ server: MicrohttpdServer, request: String = "GET /") throws -> RawClient {
      let client = try RawClient(server.port)
      client.request(request)
      return client
    }

    @Test(arguments: StreamWriter.allCases)
    func `sends every byte with the smallest buffer`(by writer: StreamWriter) async throws {
      let large = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 ^ ($0 >> 8)) }
      let streams = Streams([
        .chunk(BodyChunk(large)), text("a"), .chunk(BodyChunk([])), .chunk(BodyChunk(large)),
        .finished,
      ])
      try await serving({ $0.sendBuffer = 1 }, streamsBy: writer, handler: streams.handler) {
        server in
        let response = try open(server).response()
        #expect(response?.body == large + [0x61] + large && response?.isComplete == true)
      }
    }

    @Test(arguments: StreamWriter.allCases)
    func `begins a stream once its head has left, in however many pieces`(
      by writer: StreamWriter
    )
      async throws
    {
      // More than the kernel takes at once.
      let padding = String(repeating: "x", count: 200_000)
      try await serving(
        {
          $0.sendBuffer = 1
          $0.connectionMemory = 1 << 19
        },
        streamsBy: writer,
        handler: { _, respond in
          let stream = ScriptedStream([text("hello"), .finished])
          respond(HTTPResponse(200, headers: ["X": padding], body: .stream(stream)))
        }
      ) { server in
        for _ in 0..<3 {
          let stream = try open(server).response()
          #expect(stream?["X"] == padding && stream?.text == "hello" && stream?.isComplete == true)
        }
      }
    }

    @Test(arguments: [false, true])
    func `notices without a write that its client has gone`(withReset: Bool) async throws {
      let streams = Streams()
      try await serving(handler: streams.handler) { server in
        // Each client reads one byte more before it leaves: none at first, the whole first chunk at last.
        let whole = try open(server)
        _ = try whole.byte()
        streams.last?.say(.finished)
        let length = try whole.readToEnd().count + 1 - BodyChunk.last.count
        for count in 0...length {
          var client: RawClient? = try open(server)
          _ = try client?.read(count)
          if withReset, let client { resetWhenClosed(client.socket) }
          while streams.all.withLock({ $0.count }) < count + 2 { sched_yield() }
          client = nil
          try streams.last?.ended.wait()
        }
        let all = streams.all.withLock { $0 }
        #expect(all.allSatisfy { $0.opened.times == 1 && $0.ended.times == 1 })
      }
    }

    @Test func `sends ready steps to a half-closed client, and closes`()
      async throws
    {
      let streams = Streams()
      try await serving(handler: streams.handler) { server in
        let client = try open(server)
        client.finishSending()
        #expect(try client.head()?.status == 200)
        #expect(try client.chunk() == Array("hello".utf8))
        #expect(try client.byte() == nil)
      }
    }

    /// The library looks for connections to close from the longest idle one on, and stops at one that stays.
    @Test(arguments: StreamWriter.allCases)
    func `closes the connection at the end of a stream without chunks, beside an idle one`(
      by writer: StreamWriter
    )
      async throws
    {
      let streams = Streams()
      let handler: HTTPHandler = { request, respond in
        (request.target.path == "/stream" ? streams.handler : echo)(request, respond)
      }
      try await serving({ $0.threads = 1 }, streamsBy: writer, handler: handler) { server in
        let resting = try open(server)
        #expect(try resting.response()?.status == 200)
        let client = try RawClient(server.port)
        client.send("GET /stream HTTP/1.0\r\nHost: localhost\r\n\r\n")
        #expect(try client.head()?.status == 200)
        streams.last?.say(text(", world"), .finished)
        #expect(try client.readToEnd() == Array("hello, world".utf8))
        withExtendedLifetime(resting) {}
      }
    }

    @Test func `does not reset a client that has sent more than its request`() async throws {
      let streams = Streams()
      try await serving(handler: streams.handler) { server in
        let client = try open(server)
        #expect(try client.chunkAfterHead() == Array("hello".utf8))
        client.request("GET /ignored")
        streams.last?.say(.finished)
        #expect(try client.chunk() == [])
        var byte: UInt8 = 0
        #expect(recv(client.socket, &byte, 1, 0) == 0)
      }
    }

    @Test(arguments: StreamWriter.allCases)
    func `cuts a client that reads nothing until the timeout`(by writer: StreamWriter) async throws
    {
      let streams = Streams([.chunk(BodyChunk([UInt8](repeating: 0x61, count: 32 << 20)))])
      try await serving(
        { $0.idleTimeout = .seconds(1) },
        streamsBy: writer,
        handler: streams.handler
      ) { server in
        let client = try open(server)
        #expect(try client.head()?.status == 200)
        try streams.last?.ended.wait()
        #expect(client.socket >= 0)
      }
    }

    @Test(arguments: StreamWriter.allCases)
    func `counts streams among its connections`(by writer: StreamWriter) async throws {
      let streams = Streams()
      let place = try SocketPlace()
      try await serving(
        {
          $0.socketPath = place.path
          $0.connectionLimit = 4
        },
        streamsBy: writer,
        handler: streams.handler
      ) { server in
        func open() throws -> RawClient {
          let client = try RawClient(path: place.path)
          client.request("GET /")
          return client
        }
        var clients = try (0..<4).map { _ in try open() }
        for client in clients { #expect(try client.chunkAfterHead() == Array("hello".utf8)) }
        // A loop counts a stream only after the library has released its socket.
        while server.connectionsByThread.reduce(0, +) != 4 { sched_yield() }
        #expect(server.connections == 4)
        #expect(try open().response()?.status == 503)
        for stream in streams.all.withLock({ $0 }) { stream.say(.finished) }
        for client in clients { _ = try client.readToEnd() }
        clients = []
        while server.connections > 0 { sched_yield() }
        #expect(try open().chunkAfterHead() == Array("hello".utf8))
      }
    }

    /// The variable `UIFUSION_STREAM_COUNT` sets the number of streams.
    @Test(arguments: StreamWriter.allCases)
    func `leaves no descriptor behind`(by writer: StreamWriter) async throws {
      let count = unsafe getenv("UIFUSION_STREAM_COUNT").flatMap { Int(String(cString: $0)) }
      let streams = Streams([text("hello"), .finished])
      let messages = Mutex<[String]>([])
      try await serving(
        { $0.log = { message in messages.withLock { $0.append(message) } } },
        streamsBy: writer,
        handler: streams.handler
      ) { server in
        for number in 0..<(count ?? 2000) {
          let client = try open(server)
          // Every third client leaves before the end.
          if number % 3 == 0 { _ = try client.byte() } else { _ = try client.readToEnd() }
          streams.all.withLock { all in
            if all.count > 1000 { all.removeAll { $0.ended.times == 1 } }
          }
        }
        while server.connections > 0 { sched_yield() }
        #expect(descriptors(ofPort: server.port) == 1)
        // The library logs each failed stream.
        if writer == .loop { #expect(messages.withLock { $0 } == []) }
      }
    }
  }
}

/// Returns the number of descriptors of this process that are bound to a port.
private func descriptors(ofPort port: Int) -> Int {
  (0..<Int32(4096)).count { descriptor in
    var name = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    return result == 0 && name.sin_family == AF_INET && name.sin_port == UInt16(port).bigEndian
  }
}

extension RawClient {
  /// Reads a head, and returns the first chunk after it.
  fileprivate func chunkAfterHead() throws -> [UInt8]? {
    _ = try head()
    return try chunk()
  }
}
