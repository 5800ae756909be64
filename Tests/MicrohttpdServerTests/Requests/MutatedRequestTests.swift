import FusionHTTPMessages
import FusionMicrohttpdServer
import FusionRawHTTP
import Testing

/// A generator of the same numbers in every run (SplitMix64).
private struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

extension `A server` {
  struct `reading mutated requests` {
    private static let host = "Host: a\r\n"
    private static let chunked = "Transfer-Encoding: chunked\r\n"
    private static let requests = [
      "GET / HTTP/1.1\r\n\(host)\r\n", "GET /a?b=c HTTP/1.1\r\n\(host)X: y\r\n\r\n",
      "POST /b HTTP/1.1\r\n\(host)Content-Length: 5\r\n\r\nabcde",
      "POST /c HTTP/1.1\r\n\(host)\(chunked)\r\n3\r\nabc\r\n0\r\n\r\n",
      "POST /d HTTP/1.1\r\n\(chunked)\(host)\r\n1;a=b\r\na\r\nA\r\n0123456789\r\n0\r\nX: y\r\n\r\n",
      "GET /e HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
    ]
    private static let pieces = [
      "\r\n", "\n", "\r", " ", "\t", ":", "\0", "\u{b}", ";", "0", "\r\n\r\n", "\0\n", ":\n", host,
      chunked, "Content-Length: 5\r\n", "Content-Length:", "HTTP/1.0", "X: \r\n y\r\n", "0\r\n\r\n",
      "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n", "\r\nGET /smuggled HTTP/1.1\r\n", "+", "0x",
      "%00",
    ]

    @Test(arguments: 0..<6)
    func `answers nothing that RFC 9112 does not read as a request`(seed: Int) async throws {
      var generator = SeededGenerator(state: UInt64(seed))
      try await serving({ $0.bodyDeadline = .milliseconds(200) }) { server in
        var answered = 0
        // Sent together, as the server closes a truncated request a little later.
        let all = try (0..<150).map { _ in
          let bytes = Self.mutation(using: &generator)
          let client = try RawClient(server.port)
          client.send(bytes)
          client.finishSending()
          return (bytes, client)
        }
        for (bytes, client) in all {
          let answers = try answers(client)
          let expected = PlainReader.answers(to: bytes)
          #expect(
            answers == Array(expected.prefix(answers.count)),
            "\(String(decoding: bytes, as: UTF8.self).debugDescription)"
          )
          answered += answers.count
        }
        #expect(answered > 100)
      }
    }

    /// Returns the texts of the responses up to the first whose status is not 200.
    private func answers(_ client: RawClient) throws -> [String] {
      var answers: [String] = []
      while let answer = try client.response(), answer.status == 200 { answers.append(answer.text) }
      return answers
    }

    private static func mutation(using generator: inout SeededGenerator) -> [UInt8] {
      var bytes: [UInt8] = []
      for _ in 0..<3 { bytes += (requests.randomElement(using: &generator) ?? "").utf8 }
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = Int.random(in: 0...bytes.count, using: &generator)
        let end = min(bytes.count, index + Int.random(in: 0...6, using: &generator))
        switch Int.random(in: 0..<6, using: &generator) {
        case 0 where index < bytes.count: bytes[index] = .random(in: 0...255, using: &generator)
        case 1: bytes.removeSubrange(index..<end)
        case 2: bytes.insert(contentsOf: bytes[index..<end], at: index)
        default:
          bytes.insert(contentsOf: (pieces.randomElement(using: &generator) ?? "").utf8, at: index)
        }
      }
      return bytes
    }
  }
}
