import FusionHTTPMessages
import FusionMetrics

/// Counts every answer by route and status, and measures what it took.
final class RequestMetrics: AnswerStep {
  private let figures: [(route: Route, figures: RouteFigures)]
  /// Of requests that no route fits, or for which none was looked.
  private let others = RouteFigures(route: "none")

  init(_ metrics: Metrics) {
    let routes = RouteTable.all.routes
    let known = routes.map { RouteFigures(route: $0.pattern.text) }
    figures = Array(zip(routes, known)).map { (route: $0, figures: $1) }
    let all = known + [others]
    metrics.counters(
      "uifusion_http_requests_total",
      "Requests that were answered, by route and status; a stream when it begins."
    ) { all.flatMap(\.counts) }
    metrics.histograms(
      "uifusion_http_request_duration_seconds",
      "From a request, complete, to its answer, by route; those that asked to wait left out."
    ) { all.compactMap(\.durations) }
  }

  func finish(
    _ response: inout HTTPResponse,
    to request: RequestContext,
    after nanoseconds: Int
  ) {
    let figures = figures.first { $0.route === request.route }?.figures ?? others
    figures.count(response.status)
    if response.headers["Preference-Applied"]?.contains("wait") == true { return }
    figures.duration.observe(nanoseconds: nanoseconds)
  }
}

/// What is counted of one route: little of what there may be ever is, and the rest is not shown.
private final class RouteFigures: Sendable {
  let route: String
  let duration = Histogram([
    .milliseconds(1), .milliseconds(5), .milliseconds(25), .milliseconds(100), .milliseconds(250),
    .seconds(1), .seconds(10),
  ])
  private let statuses = answeredStatuses.map { _ in Counter() }
  private let otherStatuses = Counter()

  init(route: String) {
    self.route = route
  }

  func count(_ status: Int) {
    let place = answeredStatuses.firstIndex(of: status)
    (place.map { statuses[$0] } ?? otherStatuses).add()
  }

  var counts: [(labels: KeyValuePairs<String, String>, count: Double)] {
    (zip(answeredStatuses.map { "\($0)" }, statuses) + [("other", otherStatuses)])
      .filter { $1.value > 0 }
      .map { status, counter in
        (labels: ["route": route, "status": status], count: Double(counter.value))
      }
  }

  var durations: (labels: KeyValuePairs<String, String>, histogram: Histogram)? {
    duration.count > 0 ? (labels: ["route": route], histogram: duration) : nil
  }
}

/// Those with which this service answers, the most frequent first.
private let answeredStatuses = [
  200, 201, 204, 202, 304, 206, 404, 410, 412, 422, 429, 400, 403, 405, 413, 415, 416, 421, 500,
  501, 503, 505, 507,
]
