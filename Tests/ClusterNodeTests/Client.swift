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
    try unwrap(
      try await WaitingClient.ask(port, line, fields, body: body, silence: Self.silence)
    )
  }

  /// Creates a session; returns its path.
  func create(_ viewModel: String = "tally") async throws -> String {
    try unwrap(try await post("/sessions", #"{"viewModel":"\#(viewModel)"}"#)["Location"])
  }

  func stream(_ path: String, _ fields: String = "") async throws -> EventLines {
    let client = try WaitingClient(port, silence: Self.silence)
    client.request("GET \(path)", "Accept: application/x-ndjson\r\n" + fields)
    return EventLines(client, head: try unwrap(try await client.head()))
  }
}

/// A stream with one event per line.
struct EventLines: Sendable {
  let head: RawClient.Response
  private let client: WaitingClient

  init(_ client: WaitingClient, head: RawClient.Response) {
    self.client = client
    self.head = head
  }

  /// Returns the next event, without heartbeats; nil at the end.
  func next() async throws -> String? {
    while let chunk = try await client.chunk(), !chunk.isEmpty {
      let text = String(decoding: chunk, as: UTF8.self)
      if text != "\n" { return text.hasSuffix("\n") ? String(text.dropLast()) : text }
    }
    return nil
  }
}
