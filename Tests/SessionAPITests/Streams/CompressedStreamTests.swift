import FusionGzip
import FusionHTTPMessages
import FusionInflater
import FusionSessions
import FusionStoreDoubles
import Testing
import UIFusionTesting

@testable import FusionSessionAPI

/// A reader that inflates a stream chunk by chunk.
private final class GzipReader {
  let reader: Reader
  let inflater: Inflater
  /// The chunks of the last read, as they were sent.
  private(set) var chunks: [[UInt8]] = []

  init(_ reader: Reader) throws {
    (self.reader, inflater) = (reader, try Inflater())
  }

  /// Returns the inflated text of the chunks that are ready.
  func read() throws -> String {
    let (chunks, isEnd) = reader.readChunks()
    self.chunks = chunks
    let text = try chunks.map { String(decoding: try inflater.read($0), as: UTF8.self) }
    #expect(inflater.isAtEnd == isEnd)
    return text.joined() + (isEnd ? "<end>" : "")
  }
}

struct `A compressed stream` {
  private let client = Client()
  private let gzip: HTTPHeaders = ["Accept-Encoding": "gzip, deflate, br"]
  private let lines: HTTPHeaders = ["Accept-Encoding": "gzip", "Accept": "application/x-ndjson"]

  private func add(_ note: String, to path: String, times: Int = 1) async throws {
    let body = [String](repeating: #"{"add":"\#(note)"}"#, count: times).joined(separator: ",")
    #expect(try await client.send(.post, path + "/inputs", "[\(body)]").status == 200)
  }

  private func target(_ paths: String...) -> String {
    "/events?" + paths.map { "session=\($0.dropFirst("/sessions/".count))" }.joined(separator: "&")
  }

  @Test func `is sent for GET and announced for HEAD if the client accepts gzip`() async throws {
    let path = try await client.session("notes")
    for target in [path + "/events", target(path)] {
      for method in [HTTPMethod.get, .head] {
        for (accepted, coding) in [
          ("gzip", "gzip"), ("deflate, GZIP;q=0.5", "gzip"), ("*", "gzip"), ("identity", nil),
          ("gzip;q=0", nil), ("br", nil), (nil, nil),
        ] {
          var headers: HTTPHeaders = [:]
          headers["Accept-Encoding"] = accepted
          let answer = try await client.send(method, target, headers: headers)
          #expect(answer.status == 200 && answer["Content-Encoding"] == coding)
          #expect(answer["Vary"] == "Accept, Accept-Encoding")
          #expect(answer["Cache-Control"] == "no-store, no-transform")
          answer.stream?.close()
        }
      }
    }
  }

  /// With patches and without, with one session and two, in both formats.
  @Test(arguments: ["", "format=patch"], [false, true])
  func `has the text of a plain stream, event by event`(
    query: String,
    isOfSeveral: Bool
  ) async throws {
    let (a, b) = (try await client.session("notes"), try await client.session("counter-sync"))
    try await add("a note that comes again and again", to: a, times: 40)
    let target = isOfSeveral ? target(a, b) + "&" + query : a + "/events?" + query
    var readers: [(plain: Reader, gzip: GzipReader)] = []
    for headers in [gzip, lines] {
      var plain = headers
      plain["Accept-Encoding"] = nil
      readers.append(
        (
          try await client.follow(target, headers: plain),
          try GzipReader(try await client.follow(target, headers: headers))
        )
      )
    }
    func expectSame(sayingSomething: Bool = true) throws {
      for (plain, gzip) in readers {
        let text = plain.read()
        #expect(try gzip.read() == text && text.isEmpty != sayingSomething)
      }
    }
    try expectSame()
    try expectSame(sayingSomething: false)
    for round in 0..<4 {
      try await add("note \(round)", to: a, times: 1 + round * 10)
      try expectSame()
    }
    _ = try await client.send(.post, a + "/inputs", #""clear""#)
    try expectSame()
    for _ in 0...(SessionAPI.ticksPerHeartbeat + 1) { client.api.tick() }
    try expectSame()
    _ = try await client.send(.delete, a)
    _ = try await client.send(.delete, b)
    try expectSame()
    #expect(readers.allSatisfy { $0.gzip.inflater.isAtEnd })
  }

  @Test func `is encoded once for all clients, and is much smaller`() async throws {
    let path = try await client.session("notes")
    try await add("a note that comes again and again", to: path, times: 100)
    let readers = try await [
      client.follow(path + "/events", headers: gzip),
      client.follow(path + "/events", headers: gzip),
    ].map { $0.readChunks().chunks }
    let plain = try await client.follow(path + "/events").readChunks().chunks
    #expect(readers[0] == readers[1])
    #expect(readers[0][1].count < plain[1].count / 5)
  }

  @Test func `shares the memory of its events with other streams`() throws {
    let note = String(repeating: "a note ", count: 100)
    let snapshot = Snapshot(version: 7, state: Array(#"{"notes":["\#(note)"]}"#.utf8))
    let event = StreamEvent.state(snapshot, since: nil, label: nil)
    for format in StreamFormats.all {
      let chunks = (0..<2).map { _ in event.gzipChunk(in: format, client.host.memory).0.bytes }
      let places = chunks.map { $0.withUnsafeBufferPointer(\.baseAddress) }
      #expect(places[0] == places[1] && chunks[0].count < 200)
      let (chunk, sum) = event.gzipChunk(in: format, client.host.memory)
      let text = try Inflater().read(GzipStream.header + chunk.content + GzipStream.ending(sum))
      #expect(text == Array(event.chunk(in: format).content))
    }
  }

  @Test func `does not compress a State with line ends`() throws {
    let note = String(repeating: "a note ", count: 100)
    let snapshot = Snapshot(version: 7, state: Array("{\n\"notes\":[\"\(note)\"]}".utf8))
    let event = StreamEvent.state(snapshot, since: nil, label: nil)
    for format in StreamFormats.all {
      let (chunk, sum) = event.gzipChunk(in: format, client.host.memory)
      let plain = Array(event.chunk(in: format).content)
      #expect(Array(chunk.content.dropFirst(5)) == plain && sum == GzipSum(of: plain))
    }
  }

  @Test func `leaves a large State to the pool, and sends nothing before it`() async throws {
    let pool = QueuedExecutor()
    let client = Client(executor: pool)
    func send(_ target: String, _ body: String) throws -> Pending {
      defer { pool.run() }
      return try client.begin(.post, target, body)
    }
    let created = try send("/sessions", #"{"viewModel":"notes"}"#)
    let path = try #require(try await created.answer["Location"])
    let note = String(repeating: "a note ", count: 3_000)
    #expect(try send(path + "/inputs", #"{"add":"\#(note)"}"#).first?.status == 200)
    let reader = try GzipReader(try await client.follow(path + "/events", headers: gzip))
    #expect(try !reader.read().contains("id:"))
    for _ in 0...(SessionAPI.ticksPerHeartbeat + 1) { client.api.tick() }
    #expect(try reader.read().isEmpty)
    let wakes = reader.reader.wakes
    pool.run()
    #expect(reader.reader.wakes == wakes + 1)
    let text = try reader.read()
    #expect(text.hasPrefix("id: 2\n") && text.contains(note) && reader.chunks[0].count < 1_000)
    let last = try #require(reader.reader.stream.finalChunk())
    _ = try reader.inflater.read(last.content)
    #expect(reader.inflater.isAtEnd)
  }

  @Test func `ends as valid gzip whenever the server stops`() async throws {
    let path = try await client.session("notes")
    for count in 0..<3 {
      for headers in [gzip, lines] {
        let stream = try await client.follow(path + "/events", headers: headers).stream
        let inflater = try Inflater()
        for _ in 0..<count {
          if case .chunk(let chunk) = stream.next() { _ = try inflater.read(chunk.content) }
        }
        #expect(!inflater.isAtEnd)
        _ = try inflater.read(try #require(stream.finalChunk()).content)
        #expect(inflater.isAtEnd && stream.finalChunk() == nil)
      }
    }
    let plain = try await client.follow(path + "/events").stream
    #expect(plain.finalChunk() == nil)
  }

  @Test func `is valid gzip without compression while memory is short`() async throws {
    let path = try await client.session("notes")
    try await add("a note that comes again and again", to: path, times: 40)
    client.host.memory.set(isShort: true, isFull: false)
    let reader = try GzipReader(try await client.follow(path + "/events", headers: gzip))
    let text = try await client.follow(path + "/events").read()
    #expect(try reader.read() == text)
    #expect(reader.chunks[1].count > text.utf8.count - 20)
    client.host.memory.set(isFull: false)
    try await add("one more", to: path)
    #expect(try reader.read().hasPrefix("id: 42\n") && reader.chunks[0].count < 200)
  }

  // MARK: Ids

  /// An id is a capability: one who puts text into a State, and sees the lengths of events, must not learn it.
  @Test(arguments: [false, true]) func `never compresses a session's id`(isPatching: Bool)
    async throws
  {
    let path = try await client.session("notes")
    let id = String(path.dropFirst("/sessions/".count))
    let wrong = String(id.reversed())
    #expect(wrong != id)
    func lengths(_ guess: String, _ headers: HTTPHeaders) async throws -> [Int] {
      _ = try await client.send(.post, path + "/inputs", #""clear""#)
      // Long enough to be compressed, and full of the guess.
      try await add(#"{\"session\":\"\#(guess)\",\"id\":\"\#(guess)"#, to: path, times: 20)
      let query = target(path) + (isPatching ? "&format=patch" : "")
      let reader = try GzipReader(try await client.follow(query, headers: headers))
      _ = try reader.read()
      let first = reader.chunks
      try await add("\(guess) \(guess)", to: path, times: 20)
      let text = try reader.read()
      #expect(
        text.contains(#""session":"\#(id)""#) && text.contains(isPatching ? "patch" : "state")
      )
      for chunk in [first[1], reader.chunks[0]] {
        // The id is readable, once; the guesses are compressed.
        let readable = String(decoding: chunk, as: UTF8.self)
        #expect(readable.contains(#""session":"\#(id)","#))
        #expect(readable.ranges(of: id).count == 1)
        #expect(chunk.count < 600)
      }
      return [first[1].count, reader.chunks[0].count]
    }
    for headers in [gzip, lines] {
      // From here on, all versions have three digits.
      try await add("x", to: path, times: 100)
      // Another order of letters costs a byte or two; the id's own would save ten if the id was compressed.
      for _ in 1...2 {
        for (right, other) in zip(try await lengths(id, headers), try await lengths(wrong, headers))
        {
          #expect(abs(right - other) <= 4)
        }
      }
    }
  }

  @Test func `does not compress a session's end`() async throws {
    let path = try await client.session("notes")
    let reader = try GzipReader(try await client.follow(target(path), headers: gzip))
    _ = try reader.read()
    _ = try await client.send(.delete, path)
    #expect(try reader.read().hasSuffix("<end>"))
    let text = String(decoding: reader.chunks[0], as: UTF8.self)
    #expect(text.contains(#"{"session":"\#(path.dropFirst("/sessions/".count))","reason""#))
  }
}
