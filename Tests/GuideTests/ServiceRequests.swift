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
    let fields = "Content-Type: application/json\r\n" + fields
    return try #require(try await WaitingClient.ask(port, line, fields, body: body))
  }
}
