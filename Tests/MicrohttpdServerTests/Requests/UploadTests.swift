import FusionHTTPMessages
import FusionRawHTTP
import Synchronization
import Testing

@testable import FusionMicrohttpdServer

private let threads = QueueExecutor()

/// A handler that reads bodies as they arrive, up to a gate that a test opens.
private final class Reader: Sendable {
  private let parts = Mutex<[Int]>([])
  private let gate = AsyncStream.makeStream(of: Void.self)
  let began = Signal()
  let ended = Signal()
  /// The failure of the last body; nil if it came in full.
  let failure = Mutex<(any Error)?>(nil)

  var largest: Int { parts.withLock { $0.max() ?? 0 } }
  var sum: Int { parts.withLock { $0.reduce(0, +) } }

  /// Lets the waiting handler go on.
  func open() { gate.continuation.yield() }

  /// Reads a whole body at `/all`; after the gate at `/gated`; a part before the gate and the rest after it at
  /// `/part`; only a part at `/first`; nothing elsewhere.
  func handle(_ request: HTTPRequest, _ respond: any HTTPResponder) {
    Task(executorPreference: threads) { [self] in
      began.set()
      do {
        var last = request.body
        switch request.target.path {
        case "/gated":
          for await _ in gate.stream { break }
        case "/part":
          _ = try await next(request)
          for await _ in gate.stream { break }
        case "/all": break
        case "/first":
          _ = try await next(request)
          return respond(HTTPResponse(422))
        default: return respond(HTTPResponse(403))
        }
        while let part = try await next(request) { last = part }
        failure.withLock { $0 = nil }
        respond(HTTPResponse(200, body: .bytes(Array("\(sum) ".utf8) + last.suffix(1))))
      } catch {
        failure.withLock { $0 = error }
        respond(HTTPResponse(error as? IncomingBody.Failure == .incomplete ? 400 : 413))
      }
      ended.set()
    }
  }

  private func next(_ request: HTTPRequest) async throws -> [UInt8]? {
    let part = try await request.incoming?.next()
    if let part { parts.withLock { $0.append(part.count) } }
    return part
  }
}

private func chunk(_ text: String) -> String {
  "\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n"
}

private let head = " HTTP/1.1\r\nHost: localhost\r\n"
private let chunked = "Transfer-Encoding: chunked\r\n\r\n"

extension `A server` {
  struct `reading bodies as they arrive` {
    private func reading(
      upTo limit: Int = .max,
      within deadline: Duration = .seconds(60),
      _ body: (Reader, MicrohttpdServer) async throws -> Void
    ) async throws {
      let reader = Reader()
      try await serving(
        {
          $0.streamedBody = { _ in IncomingBody.Limits(bytes: limit) }
          $0.bodyDeadline = deadline
          $0.slowestTransfer = 100
        },
        handler: reader.handle
      ) { server in
        try await body(reader, server)
      }
    }

    @Test(arguments: [
      head + chunked, head + "Content-Length: 6\r\n\r\n", " HTTP/1.0\r\nContent-Length: 6\r\n\r\n",
    ])
    func `passes on each part of a body`(head: String) async throws {
      try await reading { reader, server in
        let client = try RawClient(server.port)
        let isChunked = head.contains("chunked")
        client.send("POST /all" + head)
        for part in ["one", "two"] { client.send(isChunked ? chunk(part) : part) }
        if isChunked { client.send("0\r\n\r\n") }
        #expect(try client.response()?.text == "6 o")
      }
    }

    @Test(arguments: ["/gated", "/part"])
    func `takes no more bytes than its reader reads`(path: String) async throws {
      try await reading { reader, server in
        let client = try RawClient(server.port)
        let size = 32 << 20
        client.send("POST \(path)\(head)Content-Length: \(size)\r\n\r\n")
        let sent = Signal()
        Task(executorPreference: threads) {
          let part = [UInt8](repeating: 65, count: 1 << 16)
          for _ in 0..<(size >> 16) { client.send(part) }
          sent.set()
        }
        try reader.began.wait()
        // The kernel's buffers take a few megabytes.
        #expect(client.isQuiet(milliseconds: 200) && sent.times == 0)
        reader.open()
        #expect(try client.response()?.text == "\(size) A")
        #expect(reader.sum == size && reader.largest < 80_000, "\(reader.largest)")
      }
    }

    @Test func `answers 413 to a length beyond the limit without calling the handler`() async throws
    {
      try await reading(upTo: 5) { reader, server in
        let client = try RawClient(server.port)
        client.send("POST /all\(head)Content-Length: 6\r\nExpect: 100-continue\r\n\r\n")
        #expect(try client.response()?.status == 413)
        #expect(reader.began.times == 0)
      }
    }

    @Test func `tells its reader that the body exceeds the limit`() async throws {
      try await reading(upTo: 5) { reader, server in
        let client = try RawClient(server.port)
        client.send("POST /all" + head + chunked + chunk("12345") + chunk("6") + "0\r\n\r\n")
        #expect(try client.response()?.status == 413)
        #expect(reader.failure.withLock { $0 } as? IncomingBody.Failure == .tooLarge(5))
      }
    }

    @Test(arguments: [head + chunked + chunk("part"), head + "Content-Length: 9\r\n\r\npart"])
    func `tells its reader that the client has gone`(request: String) async throws {
      try await reading { reader, server in
        do {
          let client = try RawClient(server.port)
          client.send("POST /part" + request)
          try reader.began.wait()
        }
        reader.open()
        try reader.ended.wait()
        #expect(reader.failure.withLock { $0 } as? IncomingBody.Failure == .incomplete)
      }
    }

    @Test func `answers before a short body has arrived, and keeps the connection`()
      async throws
    {
      try await reading { _, server in
        let client = try RawClient(server.port)
        let body = String(repeating: "x", count: 100_000)
        for _ in 1...2 {
          client.request("POST /none", body: body)
          #expect(try client.response()?.status == 403)
        }
        client.request("POST /all", body: "last")
        #expect(try client.response()?.status == 200)
      }
    }

    @Test(arguments: ["Content-Length: 99999999", "Transfer-Encoding: chunked"])
    func `answers before a body that may be long has arrived, and closes the connection`(
      framing: String
    ) async throws {
      try await reading { _, server in
        let client = try RawClient(server.port)
        client.send("POST /none\(head)\(framing)\r\n\r\n")
        let answer = try #require(try client.response())
        #expect(answer.status == 403 && answer["Connection"] == "close")
        #expect(try client.byte() == nil)
      }
    }

    @Test(arguments: [("/none", 403), ("/all", 413)])
    func `lets a client send its whole body before it reads the early response`(
      path: String,
      status: Int
    )
      async throws
    {
      try await reading(upTo: status == 413 ? 1 << 20 : .max) { _, server in
        let client = try RawClient(server.port)
        let size = 8 << 20
        client.send("POST \(path)\(head)Content-Length: \(size)\r\n\r\n")
        // A reset could lose the response.
        #expect(client.send([UInt8](repeating: 65, count: size)))
        #expect(try client.response()?.status == status)
      }
    }

    /// A body that is not read, one that is, and one whose rest is discarded.
    @Test(arguments: ["/none", "/all", "/first"])
    func `cuts a client that sends its body too slowly`(path: String) async throws {
      try await reading(within: .milliseconds(400)) { _, server in
        let client = try RawClient(server.port)
        client.send("POST \(path)\(head)Content-Length: 1000\r\n\r\n")
        #expect(client.drip("x", every: 50, times: 200))
        #expect(try client.readToEnd().isEmpty)
      }
    }

    @Test func `does not cut a body that arrives fast enough, however long it is`() async throws {
      try await reading(within: .seconds(4)) { _, server in
        let client = try RawClient(server.port)
        client.send("POST /all\(head)Content-Length: 20000\r\n\r\n")
        let part = String(repeating: "x", count: 400)
        #expect(!client.drip(part, every: 100, times: 49))
        client.send(part)
        #expect(try client.response()?.text == "20000 x")
      }
    }

    @Test func `answers in the middle of a body, and discards the rest`() async throws {
      try await reading { _, server in
        let client = try RawClient(server.port)
        client.send("POST /first\(head)Content-Length: 500000\r\n\r\n")
        client.send([UInt8](repeating: 65, count: 500_000))
        #expect(try client.response()?.status == 422)
        client.send("POST /first\(head)Content-Length: 50000000\r\n\r\n")
        client.send([UInt8](repeating: 65, count: 50_000_000))
        // The library sends no answer before the end of a body.
        #expect(try client.byte() == nil)
      }
    }

    @Test func `sends 100 Continue once the body is read`() async throws {
      try await reading { reader, server in
        let client = try RawClient(server.port)
        let ask = "\(head)Content-Length: 3\r\nExpect: 100-continue\r\n\r\n"
        client.send("POST /gated" + ask)
        try reader.began.wait()
        #expect(client.isQuiet(milliseconds: 100))
        reader.open()
        #expect(try client.head()?.status == 100)
        client.send("end")
        #expect(try client.response()?.text == "3 d")
        client.send("POST /none" + ask)
        #expect(try client.response()?.status == 403)
      }
    }

    @Test(arguments: ["/gated", "/part", "/all"], [6, 6_000, 200_000])
    func `reads all that a half-closed client has sent`(path: String, size: Int) async throws {
      for head in [head + chunked, head + "Content-Length: \(size)\r\n\r\n"] {
        try await reading { reader, server in
          // The library treats the connections that have been silent longest differently.
          let others = try (0..<4).map { _ in try RawClient(server.port) }
          for other in others {
            other.request("POST /none", "Content-Length: 0\r\n")
            _ = try other.response()
          }
          let client = try RawClient(server.port)
          let body = String(repeating: "A", count: size)
          let parts = stride(from: 0, to: size, by: 1_000).map {
            chunk(String(body.dropFirst($0).prefix(1_000)))
          }
          client.send("POST \(path)" + head)
          client.send(head.contains("chunked") ? parts.joined() + "0\r\n\r\n" : body)
          client.finishSending()
          try reader.began.wait()
          // The server has noticed all that it will before the reader goes on.
          #expect(path == "/all" || client.isQuiet(milliseconds: 100))
          reader.open()
          let text = try client.response()?.text ?? ""
          #expect(text.hasPrefix("\(size) "), "\(text) \(head)")
        }
      }
    }

    @Test(arguments: ["/gated", "/part", "/all"]) func `stops in the middle of a body`(path: String)
      async throws
    {
      let reader = Reader()
      try await serving(
        { $0.streamedBody = { _ in IncomingBody.Limits(bytes: .max) } },
        handler: reader.handle
      ) { server in
        let client = try RawClient(server.port)
        client.send("POST \(path)\(head)Content-Length: 999999\r\n\r\n")
        // More than the buffers take: an unread body suspends the connection.
        client.send([UInt8](repeating: 65, count: 200_000))
        try reader.began.wait()
        await server.stop(within: .zero)
      }
      reader.open()
      try reader.ended.wait()
      #expect(reader.failure.withLock { $0 } as? IncomingBody.Failure == .incomplete)
    }
  }
}
