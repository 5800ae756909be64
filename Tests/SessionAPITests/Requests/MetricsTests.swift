import FusionHTTPMessages
import FusionMetrics
import FusionSessionAPI
import FusionSessions
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
  func `count Inputs by result`(body: String, result: String) async throws {
    let session = try await client.session()
    _ = try await client.send(.post, session + "/inputs", body)
    #expect(try await value("uifusion_inputs_total{result=\"\(result)\"}") == "1")
    #expect(try await value("uifusion_input_duration_seconds_count") == "1")
    #expect(try await value("uifusion_input_duration_seconds_bucket{le=\"+Inf\"}") == "1")
  }

  @Test(arguments: [
    ("Prefer", "respond-async", "queued"), ("If-Match", #""9""#, "precondition_failed"),
  ])
  func `count Inputs that are queued or fail their condition`(
    name: String,
    value: String,
    result: String
  ) async throws {
    let session = try await client.session()
    let headers = HTTPHeaders([HTTPHeaders.Field(name: name, value: value)])
    _ = try await client.send(.post, session + "/inputs", #""increase""#, headers: headers)
    #expect(try await self.value("uifusion_inputs_total{result=\"\(result)\"}") == "1")
  }

  @Test func `count Inputs for unknown sessions, and beyond the queue's limit`() async throws {
    let id = SessionID(high: 1, low: 2)
    _ = try await client.send(.post, "/sessions/\(id)/inputs", #""increase""#)
    #expect(try await value("uifusion_inputs_total{result=\"no_session\"}") == "1")
    let session = try await client.session()
    let batch = "[" + Array(repeating: #""increase""#, count: 257).joined(separator: ",") + "]"
    _ = try client.begin(.post, session + "/inputs", batch)
    #expect(try await client.send(.post, session + "/inputs", batch).status == 429)
    #expect(try await value("uifusion_inputs_total{result=\"queue_full\"}") == "1")
  }

  @Test func `count every answer by its route, method and status, and measure it by its route`()
    async throws
  {
    for _ in 0..<2 { _ = try await client.session() }
    _ = try await client.send(.get, "/healthz")
    for target in ["/nothing", "/nowhere"] { _ = try await client.send(.get, target) }
    let id = RequestID.new()
    for method in [HTTPMethod.get, nil] {
      _ = client.api.answer(to: RejectedRequest(.noAnswer, id: id, method: method, headers: [:]))
    }
    for method in [HTTPMethod.put, .head] { _ = try await client.send(method, "/readyz") }
    let text = try await client.send(.get, "/metrics").text
    for (route, method, status, count) in [
      ("/sessions", "POST", "201", 2), ("/healthz", "GET", "200", 1), ("/*", "GET", "404", 2),
      ("none", "GET", "500", 1), ("none", "other", "500", 1),
      ("/readyz", "other", "405", 1), ("/readyz", "HEAD", "200", 1),
    ] {
      let labels = "{route=\"\(route)\",method=\"\(method)\",status=\"\(status)\"}"
      #expect(text.contains("\nuifusion_http_requests_total\(labels) \(count)\n"), "\(labels)")
    }
    for (route, count) in [
      ("/sessions", 2), ("/healthz", 1), ("/*", 2), ("none", 2), ("/readyz", 2),
    ] {
      let name = "uifusion_http_request_duration_seconds"
      #expect(text.contains("\n\(name)_count{route=\"\(route)\"} \(count)\n"))
      #expect(text.contains("\n\(name)_bucket{route=\"\(route)\",le=\"+Inf\"} \(count)\n"))
    }
    #expect(!text.contains(#"{route="/openapi.json""#))
  }

  @Test func `do not measure requests that asked to wait`() async throws {
    let session = try await client.session()
    let wait: HTTPHeaders = ["Prefer": "wait=5"]
    _ = try await client.send(.post, session + "/inputs", #""increase""#, headers: wait)
    #expect(
      try await value(
        #"uifusion_http_requests_total{route="\#(Self.inputs)",method="POST",status="200"}"#
      ) == "1"
    )
    #expect(
      try await value(#"uifusion_http_request_duration_seconds_count{route="\#(Self.inputs)"}"#)
        == nil
    )
    #expect(try await value("uifusion_input_duration_seconds_count") == "0")
  }

  private static let inputs = "/sessions/{id}/inputs"

  @Test func `count refusals by the limit's flag`() async throws {
    var limits = SessionLimits()
    limits.sessions = 1
    limits.queuedInputs = 1
    var options = SessionAPI.Options()
    options.streams = 1
    let client = Client(limits: limits, options: options)
    let session = try await client.session("counter")
    _ = try await client.send(.post, "/sessions", #"{"viewModel":"counter"}"#)
    let batch = #"["increase","increase","increase"]"#
    _ = try client.begin(.post, session + "/inputs", batch)
    #expect(try await client.send(.post, session + "/inputs", batch).status == 429)
    let reader = try await client.follow(session + "/events")
    #expect(try await client.send(.get, session + "/events").stream == nil)
    for problem in [Problem.contentTooLarge.limited(to: 1), .tooManyConnections.limited(to: 1)] {
      let rejected = RejectedRequest(problem, id: .new(), method: .get, headers: [:])
      _ = client.api.answer(to: rejected)
    }
    let text = try await client.send(.get, "/metrics").text
    for flag in ["sessions", "queued-inputs", "streams", "body", "connections"] {
      #expect(text.contains("\nuifusion_refused_total{limit=\"max-\(flag)\"} 1\n"), "\(flag)")
    }
    reader.close()
  }

  @Test func `count the snapshots that a slow stream skipped`() async throws {
    let session = try await client.session()
    let reader = try await client.follow(session + "/events")
    for _ in 0..<3 { _ = reader.read() }
    #expect(try await value("uifusion_stream_snapshots_skipped_total") == "0")
    for _ in 0..<4 { _ = try await client.send(.post, session + "/inputs", #""increase""#) }
    _ = reader.read()
    #expect(try await value("uifusion_stream_snapshots_skipped_total") == "3")
    #expect(try await value("uifusion_streams_fell_behind_total") == "0")
    reader.close()
  }

  @Test func `count the streams that are closed because they fell behind`() async throws {
    let session = try await client.session()
    let reader = try await client.follow(session + "/events")
    _ = reader.read()
    for _ in 0..<66 { _ = try await client.send(.post, session + "/inputs", #""show""#) }
    #expect(try await value("uifusion_streams_fell_behind_total") == "1")
    reader.close()
  }

  @Test func `tell whether the service is ready`() async throws {
    #expect(try await value("uifusion_ready") == "1")
    client.api.readiness.phase = .leaving
    #expect(try await value("uifusion_ready") == "0")
  }

  @Test func `count streams while they are open`() async throws {
    let session = try await client.session()
    let reader = try #require(try await client.send(.get, session + "/events").stream)
    #expect(try await value("uifusion_streams") == "1")
    reader.close()
    #expect(try await value("uifusion_streams") == "0")
  }

  @Test func `see the queued Inputs`() async throws {
    let session = try await client.session("counter")
    let first = try client.begin(.post, session + "/inputs", #"["increase","increase","increase"]"#)
    #expect(client.host.directory.waitingInputs == 2)
    await client.clock.advance(by: .seconds(5))
    _ = try await first.answer
    #expect(client.host.directory.waitingInputs == 0)
  }
}
