/// A client that waits on threads of its own: a service in the same process needs those of Swift's pool.
package struct WaitingClient: Sendable {
  /// The connection, for what does not wait.
  package let raw: RawClient

  package init(_ raw: RawClient) {
    self.raw = raw
  }

  package init(_ port: Int, silence: Int = 30) throws {
    self.init(try RawClient(port, silence: silence))
  }

  /// Sends a request on a new connection.
  ///
  /// Returns the answer; nil if the connection has ended without one.
  package static func ask(
    _ port: Int,
    _ line: String,
    _ fields: String = "",
    body: String = "",
    silence: Int = 30
  ) async throws -> RawClient.Response? {
    try await WaitingClient(port, silence: silence).ask(line, fields, body: body)
  }

  /// Sends a request, and returns the answer; nil if the connection has ended.
  package func ask(
    _ line: String,
    _ fields: String = "",
    body: String = ""
  ) async throws -> RawClient.Response? {
    request(line, fields, body: body)
    return try await response(toHead: line.hasPrefix("HEAD"))
  }

  package func request(_ line: String, _ fields: String = "", body: String = "") {
    raw.request(line, fields, body: body)
  }

  package func response(toHead: Bool = false) async throws -> RawClient.Response? {
    try await wait { try $0.response(toHead: toHead) }
  }

  package func head() async throws -> RawClient.Response? { try await wait { try $0.head() } }

  package func chunk() async throws -> [UInt8]? { try await wait { try $0.chunk() } }

  package func chunks(_ count: Int) async throws -> [UInt8] {
    try await wait { try $0.chunks(count) }
  }

  /// Returns the text of chunks up to the one with which it contains another text; all of it if it never does.
  package func text(until end: String) async throws -> String {
    var text = ""
    while !text.contains(end), let chunk = try await chunk(), !chunk.isEmpty {
      text += String(decoding: chunk, as: UTF8.self)
    }
    return text
  }

  package func send(_ bytes: [UInt8]) async throws { try await wait { _ = $0.send(bytes) } }

  package func send(_ text: String) async throws { try await send(Array(text.utf8)) }

  package func wait<Found: Sendable>(
    _ body: @escaping @Sendable (RawClient) throws -> Found
  ) async throws -> Found {
    let raw = raw
    return try await onThread { try body(raw) }
  }
}
