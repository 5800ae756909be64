import FusionHTTPMessages

/// Says on each answer how long it took, for a browser's tools and for pages (Server Timing,
/// https://www.w3.org/TR/server-timing/).
///
/// A page of another origin may read that where its origin is allowed (Resource Timing §4.5).
final class ServerTiming: AnswerStep {
  func finish(
    _ response: inout HTTPResponse,
    to request: RequestContext,
    after nanoseconds: Int
  ) {
    response.headers.append("Server-Timing", "total;dur=\(inMilliseconds(nanoseconds))")
    if let origin = request.origin {
      response.headers.append("Timing-Allow-Origin", origin.text)
    }
  }
}

/// To the microsecond, as `1.204`.
private func inMilliseconds(_ nanoseconds: Int) -> String {
  let micros = max(0, nanoseconds) / 1_000
  return "\(micros / 1_000).\("\(1_000 + micros % 1_000)".dropFirst())"
}
