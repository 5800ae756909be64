import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessionAPI
import Testing

struct `The number of bytes in a request's record` {
  private let records = Records()

  private var bytes: [Int] { records.all.map(\.bytes) }

  @Test(arguments: ["/healthz", "/openapi.json", "/nothing/there", "/view-models/counter"])
  func `is that of the body`(target: String) async throws {
    let answer = try await records.client().send(.get, target)
    #expect(bytes == [answer.bytes?.count] && bytes != [0])
  }

  @Test func `is counted without moving a session's streams to other threads`() async throws {
    let client = records.client()
    let session = try await client.session()
    let streams = [
      try await client.follow(session + "/events"), try await client.follow(session + "/events"),
    ]
    #expect(streams[0].stream.affinity == streams[1].stream.affinity)
    for stream in streams { stream.close() }
  }

  @Test func `is 0 if no body is sent`() async throws {
    let client = records.client()
    let session = try await client.session()
    let tag = try #require(try await client.send(.get, session)["ETag"])
    try await client.send(.head, session)
    try await client.send(.head, session + "/events")
    try await client.send(.get, session, headers: ["If-None-Match": tag])
    try await client.send(.options, session)
    #expect(records.all.map(\.status) == [201, 200, 200, 200, 304, 204])
    #expect(bytes.suffix(4) == [0, 0, 0, 0])
  }

  @Test func `of a compressed answer is that of the compressed form`() async throws {
    let client = records.client()
    let session = try await client.session("notes")
    let pending = try client.begin(
      .post,
      session + "/inputs",
      #"{"add":"\#(String(repeating: "a note ", count: 300))"}"#,
      headers: ["Accept-Encoding": "gzip"]
    )
    #expect(records.all.count == 1)
    let answer = try await pending.answer
    #expect(answer["Content-Encoding"] == "gzip")
    #expect(records.all.count == 2 && bytes.last == answer.bytes?.count)
  }

  @Test func `of a stream is counted to its end`() async throws {
    let client = records.client()
    let session = try await client.session()
    let reader = try await client.follow(session + "/events")
    var sent = reader.read().utf8.count
    try await client.send(.post, session + "/inputs", #""increase""#)
    sent += reader.read().utf8.count
    #expect(records.all.map(\.route) == ["/sessions", "/sessions/{id}/inputs"])
    reader.close()
    let record = try #require(records.all.last)
    #expect(records.all.count == 3 && record.route == "/sessions/{id}/events")
    #expect(record.bytes == sent && record.status == 200)
  }

  @Test func `of a stream that is stopped includes its final chunk`() async throws {
    let client = records.client()
    let session = try await client.session()
    let reader = try await client.follow(
      session + "/events",
      headers: ["Accept-Encoding": "gzip"]
    )
    var sent = reader.readChunks().chunks.reduce(0) { $0 + $1.count }
    sent += try #require(reader.stream.finalChunk()).content.count
    reader.close()
    #expect(bytes.last == sent)
  }

  @Test func `of a stream that was never sent is 0`() async throws {
    let client = records.client()
    let session = try await client.session()
    do {
      let pending = try client.begin(.get, session + "/events")
      #expect(pending.isAnswered && records.all.count == 1)
    }
    #expect(records.all.count == 2 && bytes.last == 0)
  }

  @Test func `of a file that is not held in memory is that of the bytes read`() async throws {
    let folder = try FilesFolder()
    try folder.write([UInt8](repeating: 7, count: 200_000), to: "film.mp4")
    let client = records.client(files: try folder.index())
    do {
      let part = try await client.send(.get, "/film.mp4", headers: ["Range": "bytes=100-"])
      #expect(part.bytes?.count == 199_900 && bytes.isEmpty)
    }
    #expect(bytes == [199_900])
    do {
      // The client leaves after the first bytes.
      let answer = try await client.send(.get, "/film.mp4")
      var buffer = [UInt8](repeating: 0, count: 1_000)
      let count = buffer.withUnsafeMutableBytes { buffer in
        if case .source(let source, _) = answer.response.body {
          source.read(from: 0, into: buffer)
        } else {
          0
        }
      }
      #expect(count == 1_000)
    }
    #expect(bytes == [199_900, 1_000])
  }
}
