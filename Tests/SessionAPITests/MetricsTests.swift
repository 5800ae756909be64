import HTTPMessages
import Metrics
import SessionAPI
import Sessions
import Testing
import UIFusionTesting

struct `The metrics` {
  private let client = Client()

  private func value(_ sample: String) async throws -> String? {
    let text = try await client.send(.get, "/metrics").text
    let line = text.split(separator: "\n").first { $0.hasPrefix(sample + " ") }
    return line.map { String($0.dropFirst(sample.count + 1)) }
  }

  @Test func `are text for Prometheus`() async throws {
    let answer = try await client.send(.get, "/metrics")
    #expect(answer.status == 200)
    #expect(answer["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
    #expect(answer["Cache-Control"] == "no-store")
    #expect(answer.text.hasSuffix("\n"))
    #expect(try await client.send(.post, "/metrics", "{}").status == 405)
  }

  @Test(arguments: [
    (#""increase""#, "processed"), (#"["increase","increase"]"#, "processed"), ("{", "invalid"),
    (#""nonsense""#, "invalid"),
  ])
  func `count Inputs by what became of them`(body: String, result: String) async throws {
    let session = try await client.session()
    _ = try await client.send(.post, session + "/inputs", body)
    #expect(try await value("uifusion_inputs_total{result=\"\(result)\"}") == "1")
    #expect(try await value("uifusion_input_duration_seconds_count") == "1")
    #expect(try await value("uifusion_input_duration_seconds_bucket{le=\"+Inf\"}") == "1")
  }

  @Test(arguments: [
    ("Prefer", "respond-async", "queued"), ("If-Match", #""9""#, "precondition_failed"),
  ])
  func `count Inputs by what their headers ask for`(
    name: String,
    value: String,
    result: String
  ) async throws {
    let session = try await client.session()
    let headers = HTTPHeaders([HTTPHeaders.Field(name: name, value: value)])
    _ = try await client.send(.post, session + "/inputs", #""increase""#, headers: headers)
    #expect(try await self.value("uifusion_inputs_total{result=\"\(result)\"}") == "1")
  }

  @Test func `count Inputs of no session, and beyond the queue`() async throws {
    let id = SessionID(high: 1, low: 2)
    _ = try await client.send(.post, "/sessions/\(id)/inputs", #""increase""#)
    #expect(try await value("uifusion_inputs_total{result=\"no_session\"}") == "1")
    let session = try await client.session()
    let batch = "[" + Array(repeating: #""increase""#, count: 257).joined(separator: ",") + "]"
    _ = try client.begin(.post, session + "/inputs", batch)
    #expect(try await client.send(.post, session + "/inputs", batch).status == 429)
    #expect(try await value("uifusion_inputs_total{result=\"queue_full\"}") == "1")
  }

  @Test func `count every answer by the class of its status`() async throws {
    _ = try await client.send(.get, "/nothing")
    _ = try await client.send(.get, "/healthz")
    let id = RequestID.new()
    _ = client.api.answer(to: RejectedRequest(.noAnswer, id: id, method: .get, headers: [:]))
    let text = try await client.send(.get, "/metrics").text
    for (status, count) in ["2xx": 1, "3xx": 0, "4xx": 1, "5xx": 1] {
      #expect(text.contains("\nuifusion_http_requests_total{status=\"\(status)\"} \(count)\n"))
    }
  }

  @Test func `count streams while they are open`() async throws {
    let session = try await client.session()
    let reader = try #require(try await client.send(.get, session + "/events").stream)
    #expect(try await value("uifusion_streams") == "1")
    reader.close()
    #expect(try await value("uifusion_streams") == "0")
  }

  @Test func `see the Inputs that wait`() async throws {
    let session = try await client.session("counter")
    let first = try client.begin(.post, session + "/inputs", #"["increase","increase","increase"]"#)
    #expect(client.host.waitingInputs == 2)
    await client.clock.advance(by: .seconds(5))
    _ = try await first.answer
    #expect(client.host.waitingInputs == 0)
  }
}
