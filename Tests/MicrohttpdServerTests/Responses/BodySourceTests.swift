import FusionHTTPMessages
import FusionMicrohttpdServer
import FusionRawHTTP
import Testing

/// A body in which each byte depends on its place.
private struct PatternBody: BodySource {
  /// The number of available bytes.
  var end = Int.max
  /// The largest number of bytes of one read.
  var step = Int.max

  static func byte(at place: Int) -> UInt8 { UInt8(truncatingIfNeeded: place &* 31 >> 4) }

  func read(from place: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = max(0, min(buffer.count, end - place, step))
    for index in 0..<count { buffer[index] = Self.byte(at: place + index) }
    return count
  }
}

extension `A server` {
  struct `sending from a source` {
    private func serving(
      _ source: PatternBody,
      _ part: Range<Int>,
      _ body: (RawClient) throws -> Void
    ) async throws {
      try await MicrohttpdServerTests.serving(handler: { _, respond in
        respond(HTTPResponse(200, body: .source(source, part)))
      }) { server in try body(RawClient(server.port)) }
    }

    @Test(arguments: [0..<0, 0..<1, 7..<8, 0..<65_536, 1..<65_538, 100..<300_000])
    func `sends the whole range, and keeps the connection`(part: Range<Int>) async throws {
      try await serving(PatternBody(), part) { (client) throws in
        for _ in 0..<2 {
          client.request("GET /")
          let answer = try client.response()
          #expect(answer?["Content-Length"] == "\(part.count)")
          #expect(answer?.body == part.map { PatternBody.byte(at: $0) })
        }
      }
    }

    @Test func `takes as few bytes at a time as the source has`() async throws {
      try await serving(PatternBody(step: 1_000), 0..<10_000) { (client) throws in
        client.request("GET /")
        #expect(try client.response()?.body == (0..<10_000).map { PatternBody.byte(at: $0) })
      }
    }

    @Test func `answers HEAD with the length`() async throws {
      try await serving(PatternBody(end: 0), 0..<300_000) { (client) throws in
        client.request("HEAD /")
        #expect(try client.response(toHead: true)?["Content-Length"] == "300000")
      }
    }

    @Test(arguments: [0, 1, 65_536, 100_000, 299_999])
    func `cuts the connection if the source ends early`(end: Int) async throws {
      try await serving(PatternBody(end: end), 0..<300_000) { (client) throws in
        client.request("GET /")
        #expect(try client.head()?["Content-Length"] == "300000")
        #expect(try client.read(300_000).count == end)
        #expect(try client.byte() == nil)
      }
    }
  }
}
