import FusionHTTPMessages
import FusionHTTPToolkit
import FusionMetrics

/// Counters of requests with Inputs by their result, and a histogram of the time that they took.
final class InputMetrics: ResponseStep {
  private enum Outcome: String, CaseIterable {
    case processed, queued, replayed
    case preconditionFailed = "precondition_failed"
    case invalid
    case queueFull = "queue_full"
    case noSession = "no_session"
    case failed
  }

  private let counters: [Outcome: Counter]
  private let latency: Histogram

  init(_ metrics: Metrics) {
    counters = metrics.counters(
      "uifusion_inputs_total",
      "Requests with Inputs, a batch counting once, by what became of them.",
      by: "result"
    )
    latency = metrics.histogram(
      "uifusion_input_duration_seconds",
      "From a request with Inputs, complete, to its answer; those that asked to wait left out."
    )
  }

  func finish(_ response: inout HTTPResponse, to request: RequestContext) {
    guard request.method == .post, request.path?.pattern === SessionRoutes.inputs.pattern else {
      return
    }
    counters[outcome(of: response)]?.add()
    if response.headers["Preference-Applied"]?.contains("wait") == true { return }
    latency.observe(nanoseconds: request.nanoseconds)
  }

  private func outcome(of response: HTTPResponse) -> Outcome {
    switch response.status {
    case 200..<300 where response.headers["Idempotency-Replayed"] != nil: .replayed
    case 202: .queued
    case 200..<300: .processed
    case 404, 410: .noSession
    case 412: .preconditionFailed
    case 429: .queueFull
    case 500...: .failed
    default: .invalid
    }
  }
}
