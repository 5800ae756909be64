import Foundation
import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import Testing
import UIFusionTesting

struct `Streams` {
  private let client = Client()

  private func event(_ version: Int, _ value: Int) -> String {
    let state = #"{"value":\#(value),"isReset":false,"showAlert":{"value":null,"pulse":0}}"#
    return "id: \(version)\nevent: state\n"
      + "data: {\"version\":\(version),\"state\":\(state)}\n\n"
  }

  @Test func `have headers that prevent caching and buffering`() async throws {
    let path = try await client.session() + "/events"
    let answer = try await client.send(.get, path)
    #expect(answer.status == 200)
    #expect(answer["Content-Type"] == "text/event-stream")
    #expect(answer["Cache-Control"] == "no-store, no-transform")
    #expect(answer["X-Accel-Buffering"] == "no")
    let open = client.api.openStreams
    let head = try await client.send(.head, path)
    #expect(head.status == 200 && head["Content-Type"] == "text/event-stream")
    // No length, as for GET, and no stream is opened.
    #expect(head.response.body.count == nil && client.api.openStreams == open)
  }

  @Test func `start with the current snapshot, and continue from there`() async throws {
    let path = try await client.session()
    _ = try await client.send(.post, path + "/inputs", #""increase""#)
    let reader = try await client.follow(path + "/events")
    #expect(reader.read() == "retry: 1000\n" + event(2, 1))
    #expect(reader.read() == "")
    _ = try await client.send(.post, path + "/inputs", #""increase""#)
    #expect(reader.wakes == 1)
    #expect(reader.read() == event(3, 2))
  }

  @Test func `skip to the newest snapshot when they are slow`() async throws {
    let path = try await client.session()
    let reader = try await client.follow(path + "/events")
    _ = reader.read()
    for _ in 0..<100 { _ = try await client.send(.post, path + "/inputs", #""increase""#) }
    #expect(reader.read() == event(101, 100))
  }

  @Test(arguments: [
    ("/events", "1", false), ("/events", "0", true), ("/events", "2", true),
    ("/events", "x", true), ("/events", "", true), ("/events", "+001", true),
    ("/events?after=1", nil, false),
    ("/events?after=0", nil, true), ("/events?after=1", "0", true), ("/events?after=0", "1", false),
  ])
  func `resume after the version that the client has`(
    target: String,
    lastEventID: String?,
    hasFirst: Bool
  ) async throws {
    let path = try await client.session()
    var headers: HTTPHeaders = [:]
    headers["Last-Event-ID"] = lastEventID
    let reader = try await client.follow(path + target, headers: headers)
    #expect(reader.read() == "retry: 1000\n" + (hasFirst ? event(1, 0) : ""))
    _ = try await client.send(.post, path + "/inputs", #""increase""#)
    #expect(reader.read() == event(2, 1))
  }

  @Test func `show loading before the value`() async throws {
    let path = try await client.session("counter")
    let reader = try await client.follow(path + "/events")
    _ = reader.read()
    _ = try await client.send(.post, path + "/inputs", #""increase""#)
    #expect(reader.read().contains(#"{"value":0,"loadingState":"increasing""#))
    await client.clock.advance(by: .milliseconds(500))
    #expect(reader.read().contains(#"{"value":1,"loadingState":"none""#))
  }

  @Test func `send a heartbeat only after silence`() async throws {
    let path = try await client.session()
    let (silent, busy) = (
      try await client.follow(path + "/events"), try await client.follow(path + "/events")
    )
    _ = (silent.read(), busy.read())
    for _ in 0..<SessionAPI.ticksPerHeartbeat { client.api.tick() }
    #expect(silent.read() == "")
    _ = try await client.send(.post, path + "/inputs", #""increase""#)
    _ = busy.read()
    client.api.tick()
    #expect(busy.read() == "")
    #expect(silent.read() == event(2, 1))
    for _ in 0...SessionAPI.ticksPerHeartbeat { client.api.tick() }
    #expect(silent.read() == ":\n")
    #expect(silent.read() == "")
  }

  @Test func `tell why a session ended, and end`() async throws {
    let path = try await client.session()
    let reader = try await client.follow(path + "/events")
    _ = reader.read()
    _ = try await client.send(.delete, path)
    #expect(reader.read() == "event: end\ndata: {\"reason\":\"deleted\"}\n\n<end>")
    reader.close()
    #expect(client.api.openStreams == 0)
    #expect(try await client.send(.get, path + "/events").status == 410)
  }

  @Test func `keep their session from expiring, until they close`() async throws {
    let path = try await client.session()
    let reader = try await client.follow(path + "/events")
    await client.clock.advance(by: .seconds(3600))
    client.host.expirer.expire()
    #expect(client.host.directory.count == 1)
    reader.close()
    await client.clock.advance(by: .seconds(1800))
    client.host.expirer.expire()
    #expect(client.host.directory.count == 0)
  }

  /// Some clients take a block of `retry` alone for an event without data.
  @Test(arguments: ["/events", "/events?after=1", "/events?format=patch"])
  func `have no block without an event`(target: String) async throws {
    let path = try await client.session()
    let reader = try await client.follow(path + target)
    var text = reader.read()
    _ = try await client.send(.post, path + "/inputs", #""increase""#)
    text += reader.read()
    _ = try await client.send(.delete, path)
    text += reader.read().replacing("<end>", with: "")
    #expect(text.hasPrefix("retry: 1000\nid: ") && text.hasSuffix("\n\n"))
    let blocks = text.dropLast(2).components(separatedBy: "\n\n")
    #expect(blocks.count == (target.contains("after") ? 2 : 3))
    #expect(blocks.allSatisfy { $0.contains("event: ") && $0.contains("\ndata: {") })
  }

  @Test(arguments: ["\u{2028}", "\u{2029}", "\u{85}", "\u{202E}", "\u{9B}31m", "\u{1B}[31m"])
  func `escape characters that end a line or reverse text`(control: String) async throws {
    let path = try await client.session("notes")
    let reader = try await client.follow(path + "/events")
    _ = reader.read()
    let input = #"{"add":"a\#(control)b"}"#.replacing("\u{1B}", with: #"\u001b"#)
    #expect(try await client.send(.post, path + "/inputs", input).status == 200)
    let event = reader.read()
    let scalar = try #require(control.unicodeScalars.first)
    #expect(!event.unicodeScalars.contains(scalar))
    let digits = String(scalar.value, radix: 16, uppercase: true)
    #expect(event.contains("a\\u" + String(repeating: "0", count: 4 - digits.count) + digits))
  }

  @Test func `beyond the limit tell the client to retry later, without an error`() async throws {
    var options = SessionAPI.Options()
    options.streams = 1
    let client = Client(options: options)
    let path = try await client.session() + "/events"
    let first = try #require(try await client.send(.get, path).stream)
    let refused = try await client.send(.get, path)
    #expect(refused.status == 200)
    #expect(refused["Content-Type"] == "text/event-stream")
    #expect(refused.text == "retry: 30000\n\n")
    first.close()
    // The place is free once the reader has released the stream.
    _ = consume first
    #expect(try await client.send(.get, path).stream != nil)
  }

  @Test func `that are never sent free their place`() async throws {
    var options = SessionAPI.Options()
    options.streams = 1
    let client = Client(options: options)
    let path = try await client.session() + "/events"
    for _ in 0..<3 { #expect(try await client.send(.get, path).text == "(a stream)") }
  }

  @Test func `of an unknown session are not found`() async throws {
    let answer = try await client.send(.get, "/sessions/AAAAAAAAAAAAAAAAAAAAAA/events")
    #expect(answer.status == 404)
  }
}
