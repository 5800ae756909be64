import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessionAPI
import FusionSessions
import Testing

struct `A session that is created and followed in one request` {
  private func create(
    _ client: Client,
    _ accept: String,
    _ query: String = "",
    headers: HTTPHeaders = [:]
  ) async throws -> Answer {
    var headers = headers
    headers["Accept"] = accept
    let body = #"{"viewModel":"counter-sync"}"#
    return try await client.send(.post, "/sessions" + query, body, headers: headers)
  }

  private let state = #"{"value":0,"isReset":false,"showAlert":{"value":null,"pulse":0}}"#

  private func id(_ answer: Answer) throws -> String {
    String(try #require(answer["Location"]).dropFirst("/sessions/".count))
  }

  @Test func `begins its stream with its id`() async throws {
    let client = Client()
    let answer = try await create(client, "text/event-stream")
    #expect(answer.status == 201 && answer["Content-Type"] == "text/event-stream")
    #expect(answer["Cache-Control"] == "no-store, no-transform" && answer["ETag"] == "\"1\"")
    let id = try id(answer)
    let reader = try #require(answer.stream)
    #expect(
      reader.read() == "retry: 1000\nid: 1\nevent: state\n"
        + "data: {\"session\":\"\(id)\",\"version\":1,\"state\":\(state)}\n\n"
    )
    try await client.send(.post, "/sessions/\(id)/inputs", #""increase""#)
    #expect(reader.read().hasPrefix("id: 2\nevent: state\ndata: {\"version\":2,"))
    try await client.send(.delete, "/sessions/\(id)")
    #expect(reader.read() == "event: end\ndata: {\"reason\":\"deleted\"}\n\n<end>")
  }

  @Test func `is streamed in JSON lines and patches if they are requested`() async throws {
    let client = Client()
    let answer = try await create(client, "application/x-ndjson", "?format=patch")
    let id = try id(answer)
    let reader = try #require(answer.stream)
    #expect(
      reader.read()
        == "{\"event\":\"state\",\"session\":\"\(id)\",\"version\":1,\"state\":\(state)}\n"
    )
    try await client.send(.post, "/sessions/\(id)/inputs", #""increase""#)
    #expect(reader.read().hasPrefix("{\"event\":\"patch\",\"from\":1,\"version\":2,"))
  }

  @Test(arguments: [
    "*/*", "application/json", "text/html", "application/json, text/event-stream;q=0.9",
    "text/event-stream, application/json",
  ])
  func `is streamed only to clients that prefer a stream`(accept: String) async throws {
    let answer = try await create(Client(), accept)
    #expect(answer.status == 201 && answer["Content-Type"] == "application/json")
    #expect(answer["ETag"] == "\"1\"" && answer["Location"] != nil)
  }

  @Test func `ignores the position of another session's stream`() async throws {
    let headers: HTTPHeaders = ["Last-Event-ID": "1"]
    let answer = try await create(Client(), "text/event-stream", "?after=1", headers: headers)
    #expect(try #require(answer.stream).read().contains("\"version\":1,"))
  }

  @Test func `is created even if no stream can be opened`() async throws {
    var options = SessionAPI.Options()
    options.streams = 1
    let client = Client(options: options)
    let first = try await create(client, "text/event-stream")
    #expect(first.stream != nil)
    let second = try await create(client, "text/event-stream")
    #expect(second.status == 201 && second["Content-Type"] == "application/json")
    #expect(try await client.send(.get, try #require(second["Location"])).status == 200)
  }

  @Test func `is refused like one without a stream`() async throws {
    let client = Client()
    let accept: HTTPHeaders = ["Accept": "text/event-stream"]
    for (query, body, status) in [
      ("", "{\"viewModel\":\"none\"}", 422), ("", "{", 400),
      ("?format=x", "{\"viewModel\":\"counter\"}", 400),
    ] {
      let answer = try await client.send(.post, "/sessions" + query, body, headers: accept)
      #expect(answer.status == status && answer["Content-Type"] == "application/problem+json")
    }
    #expect(client.host.directory.count == 0)
  }

  @Test func `has its id sent uncompressed`() async throws {
    let headers: HTTPHeaders = ["Accept-Encoding": "gzip"]
    let answer = try await create(Client(), "text/event-stream", headers: headers)
    #expect(answer["Content-Encoding"] == "gzip")
    let id = Array(try id(answer).utf8)
    let bytes = try #require(answer.stream).readChunks().chunks.flatMap(\.self)
    #expect(bytes.firstRange(of: id) != nil)
  }
}
