/// The check of a small request's latency, and that connections are kept.
enum LatencyCheck: Check {
  static let name = "latency"
  private static let count = 10

  static func findings(of deployment: Deployment) async throws -> [Finding] {
    var request = deployment.request("/healthz")
    // The first request makes the connection.
    request.addresses = Array(repeating: request.addresses[0], count: count + 1)
    let log = try await deployment.curl.log(request)
    return [judge(log.measures).shown(by: request.line)]
  }

  static func judge(_ measures: [CurlMeasure]) -> Finding {
    guard let first = measures.first, measures.count > 1 else {
      return .failure("small requests are not answered")
    }
    let others = measures.dropFirst()
    var parts = ["connect \(milliseconds(first.connected - first.resolved))"]
    if first.secured > 0 { parts.append("TLS \(milliseconds(first.secured - first.connected))") }
    let times = others.map(\.answered)
    parts.append("answer \(milliseconds(median(times))) (p50 of \(others.count))")
    let text = parts.joined(separator: ", ")
    let made = others.reduce(0) { $0 + $1.connections }
    guard made > 0 else { return .ok("\(text); the connection is kept") }
    return .warning(
      "\(text); \(made) of \(others.count) needed a new connection",
      [.keepAlive]
    )
  }

  private static func milliseconds(_ seconds: Double) -> String {
    let tenths = Int((seconds * 10_000).rounded())
    return tenths < 100 ? "\(tenths / 10).\(tenths % 10) ms" : "\((tenths + 5) / 10) ms"
  }
}

/// Returns the median; zero for no values.
func median<Number: Comparable & AdditiveArithmetic>(_ values: [Number]) -> Number {
  values.isEmpty ? .zero : values.sorted()[values.count / 2]
}
