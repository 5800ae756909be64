import FusionRawHTTP
import Testing
import UIFusionServer

extension Service {
  /// Sends a request with a body of JSON, and returns the answer.
  func ask(
    _ line: String,
    _ fields: String = "",
    body: String = ""
  ) async throws -> RawClient.Response {
    let client = try RawClient(port)
    client.request(line, "Content-Type: application/json\r\n" + fields, body: body)
    return try #require(try await onThread { try client.response() })
  }
}
