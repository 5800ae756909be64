import Foundation
import FusionInflater
import FusionRawHTTP
import Testing

/// Compressed answers, read by independent programs.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `Compression` {
  private let gzip = "Accept-Encoding: gzip\r\n"

  private func todos(_ count: Int) -> String {
    let todo = #"{"add":{"title":"something to be done today"}}"#
    return "[" + [String](repeating: todo, count: count).joined(separator: ",") + "]"
  }

  /// Returns the next event, which is complete in its chunk.
  private func event(_ client: RawClient, _ inflater: Inflater) throws -> String {
    String(decoding: try inflater.read(try #require(try client.chunk())), as: UTF8.self)
  }

  @Test func `lets each event be decoded as it arrives, and ends streams properly`() throws {
    let service = try ServiceProcess()
    let session = try service.session("todos")
    let (client, reader, other) = (
      try service.connect(), try service.connect(), try service.connect()
    )
    _ = try client.post(todos(100), to: session)
    var inflaters: [Inflater] = []
    for (reader, path) in [
      (reader, session + "/events"),
      (other, "/events?format=patch&session=" + session.dropFirst("/sessions/".count)),
    ] {
      reader.request("GET \(path)", gzip)
      let head = try #require(try reader.head())
      #expect(head.status == 200 && head["Content-Encoding"] == "gzip")
      #expect(head["Vary"]?.contains("Accept-Encoding") == true)
      let inflater = try Inflater()
      #expect(try event(reader, inflater) == "retry: 1000\n")
      #expect(try event(reader, inflater).hasSuffix("}\n\n"))
      inflaters.append(inflater)
    }
    for _ in 0..<3 {
      let answer = try client.post(#"{"add":{"title":"one more"}}"#, to: session)
      let data = try #require(answer.firstMatch(of: /"version":\d+,"state":.*\}/)).output
      let state = try event(reader, inflaters[0])
      #expect(state.contains(data.replacing(#","settled":true"#, with: "")))
      #expect(try event(other, inflaters[1]).contains("\nevent: patch\ndata: {\"session\":"))
    }
    #expect(inflaters.allSatisfy { !$0.isAtEnd })
    let (status, _) = try service.stop()
    #expect(status == 0)
    for (reader, inflater) in zip([reader, other], inflaters) {
      #expect(try event(reader, inflater) == "" && inflater.isAtEnd)
      #expect(try reader.chunk() == [])
    }
  }

  @Test func `serves an HTTP/1.0 client a stream that gzip accepts`() throws {
    let service = try ServiceProcess()
    let session = try service.session("todos")
    let (client, reader) = (try service.connect(), try service.connect())
    _ = try client.post(todos(100), to: session)
    reader.send("GET \(session)/events HTTP/1.0\r\nAccept: application/x-ndjson\r\n\(gzip)\r\n")
    let head = try #require(try reader.head())
    #expect(head["Content-Encoding"] == "gzip" && head["Transfer-Encoding"] == nil)
    client.request("DELETE \(session)")
    #expect(try client.response()?.status == 204)
    let body = try reader.readToEnd()
    let file = URL.temporaryDirectory.appending(path: UUID().uuidString + ".gz")
    try Data(body).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let text = try run("/bin/gzip", ["-dc", file.path])
    #expect(text.status == 0 && text.errors.isEmpty)
    #expect(text.output.hasSuffix("\n" + #"{"event":"end","reason":"deleted"}"# + "\n"))
  }

  @Test func `shrinks answers to Inputs, but not those of other clients`() throws {
    let service = try ServiceProcess()
    let session = try service.session("todos")
    let client = try service.connect()
    let plain = try client.post(todos(100), to: session)
    for _ in 0..<2 {
      let fields = "Content-Type: application/json\r\n" + gzip
      client.request("POST \(session)/inputs", fields, body: #"{"add":{"title":"one more"}}"#)
      let answer = try #require(try client.response())
      #expect(answer.status == 200 && answer["Content-Encoding"] == "gzip")
      #expect(answer["ETag"] == nil && answer["Content-Type"] == "application/json")
      #expect(answer.body.count < plain.utf8.count / 2)
      let inflater = try Inflater()
      let text = String(decoding: try inflater.read(answer.body), as: UTF8.self)
      #expect(inflater.isAtEnd && text.hasPrefix(#"{"version":"#))
      #expect(text.contains("one more") && text.hasSuffix(#","settled":true}"#))
    }
  }
}
