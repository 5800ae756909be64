import HTTPMessages
import Metrics

/// Counts every answer by the class of its status.
struct RequestMetrics: AnswerStep {
  /// By the first digit of a status, less one.
  private let answers: [Counter]

  init(_ metrics: Metrics) {
    answers = (1...5).map { digit in
      metrics.counter(
        "uifusion_http_requests_total",
        "Requests that were answered, by class of status; a stream when it begins.",
        ["status": "\(digit)xx"]
      )
    }
  }

  func finish(_ response: inout HTTPResponse, to request: RequestContext) {
    answers[min(max(response.status / 100, 1), 5) - 1].add()
  }
}
