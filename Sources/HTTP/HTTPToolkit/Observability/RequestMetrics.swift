import FusionHTTPMessages
import FusionMetrics

/// Counts every answer by route, method and status, and measures what it took.
final class RequestMetrics: AnswerStep {
  private let figures: [(route: Route, figures: RouteFigures)]
  /// Of requests that no route fits, or for which none was looked.
  private let others = RouteFigures(route: "none", [.get, .post])

  init(_ metrics: Metrics) {
    let routes = RouteTable.all.routes
    let known = routes.map { RouteFigures(route: $0.pattern.text, $0.methods) }
    figures = Array(zip(routes, known)).map { (route: $0, figures: $1) }
    let all = known + [others]
    metrics.counters(
      "uifusion_http_requests_total",
      "Requests that were answered, by route, method and status; a stream when it begins."
    ) { all.flatMap(\.samples) }
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
    figures.count(request.method, response.status)
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
  /// Those of its methods, and at the end those of any other.
  private let methods: [HTTPMethod]
  private let counts: [StatusCounts]

  init(route: String, _ methods: [HTTPMethod]) {
    self.route = route
    self.methods = methods
    counts = (0...methods.count).map { _ in StatusCounts() }
  }

  func count(_ method: HTTPMethod?, _ status: Int) {
    let place = methods.firstIndex { $0 == method } ?? methods.count
    counts[place].count(status)
  }

  var samples: [(labels: KeyValuePairs<String, String>, count: Double)] {
    zip(methods.map(\.rawValue) + ["other"], counts).flatMap { method, counts in
      counts.samples.map { status, count in
        (labels: ["route": route, "method": method, "status": status], count: Double(count))
      }
    }
  }

  var durations: (labels: KeyValuePairs<String, String>, histogram: Histogram)? {
    duration.count > 0 ? (labels: ["route": route], histogram: duration) : nil
  }
}

/// What is counted of one method.
private final class StatusCounts: Sendable {
  private let statuses = answeredStatuses.map { _ in Counter() }
  private let others = Counter()

  func count(_ status: Int) {
    let place = answeredStatuses.firstIndex(of: status)
    (place.map { statuses[$0] } ?? others).add()
  }

  var samples: [(status: String, count: Int)] {
    zip(answeredStatuses.map { "\($0)" } + ["other"], statuses + [others])
      .map { (status: $0, count: $1.value) }
      .filter { $0.count > 0 }
  }
}

/// Those with which this service answers, the most frequent first.
private let answeredStatuses = [
  200, 201, 204, 202, 304, 206, 404, 410, 412, 422, 429, 400, 403, 405, 413, 415, 416, 421, 500,
  501, 503, 505, 507,
]
