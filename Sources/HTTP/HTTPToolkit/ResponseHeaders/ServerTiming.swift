package import FusionHTTPMessages

/// Adds its duration to each response, for a browser's tools and for pages (Server Timing,
/// https://www.w3.org/TR/server-timing/).
///
/// A page of an allowed origin may read it (Resource Timing §4.5).
package final class ServerTiming: ResponseStep {
  private let origins: AllowedOrigins

  package init(readableBy origins: AllowedOrigins) {
    self.origins = origins
  }

  package func finish(_ response: inout HTTPResponse, to request: RequestContext) {
    response.headers.append(
      "Server-Timing",
      "total;dur=\(milliseconds(request.nanoseconds))"
    )
    if let origin = origins.allowed(in: request.headers) {
      response.headers.append("Timing-Allow-Origin", origin)
    }
  }
}

/// Returns a duration in milliseconds with microsecond precision, such as `1.204`.
private func milliseconds(_ nanoseconds: Int) -> String {
  let micros = max(0, nanoseconds) / 1_000
  return "\(micros / 1_000).\("\(1_000 + micros % 1_000)".dropFirst())"
}
