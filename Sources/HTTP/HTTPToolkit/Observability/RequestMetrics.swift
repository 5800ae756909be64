package import FusionHTTPMessages
package import FusionMetrics

/// Counters of responses by route, method and status, and histograms of the time that they took.
package final class RequestMetrics: ResponseStep {
  private let routes: [RouteMetrics]
  /// The metrics of requests that match no route, or that were rejected before routing.
  private let others = RouteMetrics(nil, [.get, .post])

  package init(_ metrics: Metrics, _ router: Router<some RoutingContext>) {
    routes = router.routes.map { RouteMetrics($0.pattern, $0.methods) }
    let all = routes + [others]
    metrics.counters(
      "uifusion_http_requests_total",
      "Requests that were answered, by route, method and status; a stream when it begins."
    ) { all.flatMap(\.samples) }
    metrics.histograms(
      "uifusion_http_request_duration_seconds",
      "From a request, complete, to its answer, by route; those that asked to wait left out."
    ) { all.compactMap(\.durations) }
  }

  package func finish(_ response: inout HTTPResponse, to request: RequestContext) {
    let metrics = routes.first { $0.pattern === request.path?.pattern } ?? others
    metrics.count(request.method, response.status)
    if response.headers["Preference-Applied"]?.contains("wait") == true { return }
    metrics.duration.observe(nanoseconds: request.nanoseconds)
  }
}

/// The metrics of one route; combinations that never occurred are omitted.
private final class RouteMetrics: Sendable {
  /// The pattern; nil for requests that match no route.
  let pattern: PathPattern?
  let duration = Histogram([
    .milliseconds(1), .milliseconds(5), .milliseconds(25), .milliseconds(100), .milliseconds(250),
    .seconds(1), .seconds(10),
  ])
  private let methods: [HTTPMethod]
  /// A set of counters for each method, followed by one for all other methods.
  private let counts: [StatusCounts]

  init(_ pattern: PathPattern?, _ methods: [HTTPMethod]) {
    self.pattern = pattern
    self.methods = methods
    counts = (0...methods.count).map { _ in StatusCounts() }
  }

  func count(_ method: HTTPMethod?, _ status: Int) {
    let place = methods.firstIndex { $0 == method } ?? methods.count
    counts[place].count(status)
  }

  private var route: String { pattern?.text ?? "none" }

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

/// The counters of one method.
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

/// The statuses with their own counter, the most frequent first.
private let answeredStatuses = [
  200, 201, 204, 202, 304, 206, 404, 410, 412, 422, 429, 400, 403, 405, 413, 415, 416, 421, 500,
  501, 503, 505, 507,
]

/// Counters of requests that were refused because of a limit, by the flag that sets it.
package final class RefusalMetrics: ResponseStep {
  private let byFlag: [String: Counter]
  private let byProblem: [String: Counter]

  /// Creates a counter for each limit in `problems` (``ProblemKind/limit``), and for each of `flags`, the
  /// limits that are not reported as problems.
  package init(_ metrics: Metrics, _ problems: ProblemTable, flags: [String]) {
    let limits = problems.kinds.filter { $0.limit != nil }
    let names = Set(limits.compactMap(\.limit) + flags).sorted()
    let counters = names.map { flag in
      metrics.counter(
        "uifusion_refused_total",
        "Requests that were refused because of a limit, by its flag.",
        ["limit": flag]
      )
    }
    let byFlag = Dictionary(zip(names, counters)) { first, _ in first }
    self.byFlag = byFlag
    let pairs = limits.compactMap { kind in
      kind.limit.flatMap { byFlag[$0] }.map { (kind.name, $0) }
    }
    byProblem = Dictionary(pairs) { first, _ in first }
  }

  /// Returns the counter of a flag; an unregistered one if no limit has that flag.
  package func counter(of flag: String) -> Counter { byFlag[flag] ?? Counter() }

  package func finish(_ response: inout HTTPResponse, to request: RequestContext) {
    guard response.status >= 400, case .problem(let problem) = response.body else { return }
    byProblem[problem.name]?.add()
  }
}
