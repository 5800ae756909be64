import FusionRawHTTP

/// A client of one node, whose blocking calls do not block Swift's thread pool.
struct Client: Sendable {
  /// The longest wait for an answer, in seconds: some need minutes of the test's clock, which pass slowly beside other
  /// tests.
  private static let silence = 240

  typealias Response = RawClient.Response

  private let port: Int

  init(_ port: Int) {
    self.port = port
  }

  func get(_ path: String, _ fields: String = "") async throws -> Response {
    try await send("GET \(path)", fields)
  }

  @discardableResult
  func post(_ path: String, _ body: String, _ fields: String = "") async throws -> Response {
    try await send("POST \(path)", "Content-Type: application/json\r\n" + fields, body: body)
  }

  func send(_ line: String, _ fields: String = "", body: String = "") async throws -> Response {
    let port = port
    return try await onThread {
      let client = try RawClient(port, silence: Self.silence)
      client.request(line, fields, body: body)
      return try unwrap(client.response(toHead: line.hasPrefix("HEAD")))
    }
  }

  /// Creates a session; returns its path.
  func create(_ viewModel: String = "tally") async throws -> String {
    try unwrap(try await post("/sessions", #"{"viewModel":"\#(viewModel)"}"#)["Location"])
  }

  func stream(_ path: String, _ fields: String = "") async throws -> EventLines {
    let port = port
    return try await onThread {
      let client = try RawClient(port, silence: Self.silence)
      client.request("GET \(path)", "Accept: application/x-ndjson\r\n" + fields)
      return EventLines(client, head: try unwrap(client.head()))
    }
  }
}

/// A stream with one event per line.
struct EventLines: Sendable {
  let head: RawClient.Response
  private let client: RawClient

  init(_ client: RawClient, head: RawClient.Response) {
    self.client = client
    self.head = head
  }

  /// Returns the next event, without heartbeats; nil at the end.
  func next() async throws -> String? {
    let client = client
    return try await onThread {
      while let chunk = try client.chunk(), !chunk.isEmpty {
        let text = String(decoding: chunk, as: UTF8.self)
        if text != "\n" { return text.hasSuffix("\n") ? String(text.dropLast()) : text }
      }
      return nil
    }
  }
}
