import FusionHTTPMessages
import FusionHTTPToolkit
import FusionMetrics

/// Counters of requests with Inputs by result, and a histogram of their durations.
final class InputMetrics: ResponseStep {
  private let processed: Counter
  private let queued: Counter
  private let replayed: Counter
  private let preconditionFailed: Counter
  private let invalid: Counter
  private let queueFull: Counter
  private let noSession: Counter
  private let failed: Counter
  private let latency: Histogram

  init(_ metrics: Metrics) {
    func counter(_ result: String) -> Counter {
      metrics.counter(
        "uifusion_inputs_total",
        "Requests with Inputs, a batch counting once, by what became of them.",
        ["result": result]
      )
    }
    processed = counter("processed")
    queued = counter("queued")
    replayed = counter("replayed")
    preconditionFailed = counter("precondition_failed")
    invalid = counter("invalid")
    queueFull = counter("queue_full")
    noSession = counter("no_session")
    failed = counter("failed")
    latency = metrics.histogram(
      "uifusion_input_duration_seconds",
      "From a request with Inputs, complete, to its answer; those that asked to wait and streams left out."
    )
  }

  func finish(_ response: inout HTTPResponse, to request: RequestContext) {
    guard request.method == .post, request.path?.pattern === SessionRoutes.inputs.pattern else {
      return
    }
    counter(of: response).add()
    if response.headers["Preference-Applied"]?.contains("wait") == true { return }
    if request.headers.declareBody(of: StreamedInputs.mediaType) { return }
    latency.observe(nanoseconds: request.nanoseconds)
  }

  private func counter(of response: HTTPResponse) -> Counter {
    switch response.status {
    case 200..<300 where response.headers["Idempotency-Replayed"] != nil: replayed
    case 202: queued
    case 200..<300: processed
    case 404, 410: noSession
    case 412: preconditionFailed
    case 429: queueFull
    case 500...: failed
    default: invalid
    }
  }
}
