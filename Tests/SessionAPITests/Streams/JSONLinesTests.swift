import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import Testing
import UIFusionTesting

struct `A stream of JSON lines` {
  private let client = Client()

  private let accept: HTTPHeaders = ["Accept": "application/x-ndjson"]

  private func line(_ version: Int, _ value: Int, _ before: String = "") -> String {
    #"{"event":"state",\#(before)"version":\#(version),"state":{"value":\#(value),"#
      + #""isReset":false,"showAlert":{"value":null,"pulse":0}}}"# + "\n"
  }

  private func increase(_ path: String) async throws {
    #expect(try await client.send(.post, path + "/inputs", #""increase""#).status == 200)
  }

  @Test(arguments: [
    ("application/x-ndjson", "application/x-ndjson"), ("text/event-stream", "text/event-stream"),
    ("*/*", "text/event-stream"), ("application/json", "text/event-stream"),
    ("text/event-stream;q=0.5, application/x-ndjson", "application/x-ndjson"),
  ])
  func `is sent to clients that prefer it`(accept: String, type: String) async throws {
    let path = try await client.session()
    for target in [path + "/events", "/events?session=\(path.dropFirst("/sessions/".count))"] {
      for method in [HTTPMethod.get, .head] {
        let answer = try await client.send(method, target, headers: ["Accept": accept])
        #expect(answer.status == 200 && answer["Content-Type"] == type)
        #expect(
          answer["Vary"] == "Accept, Accept-Encoding"
            && answer["Cache-Control"] == "no-store, no-transform"
        )
      }
    }
  }

  @Test func `has one line with an object for each State, and one for the end`() async throws {
    let path = try await client.session()
    let reader = try await client.follow(path + "/events", headers: accept)
    #expect(reader.read() == line(1, 0))
    try await increase(path)
    #expect(reader.wakes == 1)
    #expect(reader.read() == line(2, 1))
    _ = try await client.send(.delete, path)
    #expect(reader.read() == #"{"event":"end","reason":"deleted"}"# + "\n<end>")
  }

  @Test func `is encoded apart from a stream of events`() async throws {
    let path = try await client.session()
    let events = try await client.follow(path + "/events")
    let lines = try await client.follow(path + "/events", headers: accept)
    let again = try await client.follow(path + "/events")
    #expect(events.read().hasSuffix("id: 1\nevent: state\ndata: " + line(1, 0).withoutName + "\n"))
    #expect(lines.read() == line(1, 0))
    #expect(again.read().hasSuffix("id: 1\nevent: state\ndata: " + line(1, 0).withoutName + "\n"))
    #expect(try await client.follow(path + "/events", headers: accept).read() == line(1, 0))
  }

  @Test func `resumes after the version that the client has`() async throws {
    let path = try await client.session()
    try await increase(path)
    let reader = try await client.follow(path + "/events?after=2", headers: accept)
    #expect(reader.read() == "")
    try await increase(path)
    #expect(reader.read() == line(3, 2))
  }

  @Test func `sends an empty line as a heartbeat`() async throws {
    let path = try await client.session()
    let reader = try await client.follow(path + "/events", headers: accept)
    _ = reader.read()
    for _ in 0...SessionAPI.ticksPerHeartbeat { client.api.tick() }
    #expect(reader.read() == "\n")
  }

  @Test func `has patches if they are requested`() async throws {
    let path = try await client.session("notes")
    let long = "a note that is long enough for a patch to be worth it"
    _ = try await client.send(.post, path + "/inputs", #"{"add":"\#(long)"}"#)
    let reader = try await client.follow(path + "/events?format=patch", headers: accept)
    _ = reader.read()
    _ = try await client.send(.post, path + "/inputs", #"{"add":"milk"}"#)
    #expect(
      reader.read() == #"{"event":"patch","from":2,"version":3,"#
        + #""patch":[{"op":"add","path":"/notes/1","value":"milk"}]}"# + "\n"
    )
  }

  @Test func `of several sessions names each of them, and the id by which it resumes`() async throws
  {
    let (a, b) = (try await client.session(), try await client.session())
    let ids = [a, b].map { $0.dropFirst("/sessions/".count) }
    let target = "/events?session=\(ids[0])&session=\(ids[1])"
    let text = try await client.follow(target, headers: accept).read()
    let (one, two) = (ids[0].prefix(6) + "1", ids[1].prefix(6) + "1")
    let first = line(1, 0, #""id":"\#(one)","session":"\#(ids[0])","#)
    let second = line(1, 0, #""id":"\#(one).\#(two)","session":"\#(ids[1])","#)
    #expect(text == first + second)
    let resumed = try await client.follow(target + "&after=\(two)", headers: accept)
    let rest = resumed.read()
    #expect(rest.contains(ids[0]) && !rest.contains(#""session":"\#(ids[1])""#))
    _ = try await client.send(.delete, a)
    #expect(resumed.read() == #"{"event":"end","session":"\#(ids[0])","reason":"deleted"}"# + "\n")
  }

  @Test func `beyond the limit ends at once, with Retry-After`() async throws {
    var options = SessionAPI.Options()
    options.streams = 0
    let client = Client(options: options)
    let path = try await client.session()
    let answer = try await client.send(.get, path + "/events", headers: accept)
    #expect(answer.status == 200 && answer.text == "" && answer["Retry-After"] == "30")
  }
}

extension String {
  /// The line's data in a stream of events.
  fileprivate var withoutName: String { replacing(#""event":"state","#, with: "") }
}
