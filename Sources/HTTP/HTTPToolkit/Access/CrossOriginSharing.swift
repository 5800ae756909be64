import FusionHTTPMessages

/// Lets the pages of an allowed origin read an answer (Fetch §3.3, CORS).
final class CrossOriginSharing: AnswerStep {
  private let origins: AllowedOrigins

  init(origins: AllowedOrigins) {
    self.origins = origins
  }

  /// The origin that a request comes from, if that is an allowed one.
  func origin(of headers: HTTPHeaders) -> RequestContext.Origin? {
    guard let origin = headers["Origin"], origins.contain(origin) else { return nil }
    return RequestContext.Origin(
      text: origin,
      isPreflight: headers["Access-Control-Request-Method"] != nil
    )
  }

  func finish(
    _ response: inout HTTPResponse,
    to request: RequestContext,
    after nanoseconds: Int
  ) {
    // Without an Origin, too: a cache must not hand one's answer to the other.
    let vary = response.headers["Vary"]
    response.headers["Vary"] = vary.map { $0 + ", Origin" } ?? "Origin"
    guard let origin = request.origin else { return }
    response.headers.append("Access-Control-Allow-Origin", origin.text)
    response.headers.append("Access-Control-Expose-Headers", Self.exposed)
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    guard origin.isPreflight, request.method == .options, let methods = response.headers["Allow"]
    else { return }
    response.headers.append("Access-Control-Allow-Methods", methods)
    response.headers.append("Access-Control-Allow-Headers", Self.accepted)
    // Two hours, which is as long as any browser remembers.
    response.headers.append("Access-Control-Max-Age", "7200")
  }

  /// Request headers of this interface that Fetch does not let through by itself.
  private static let accepted =
    "Content-Type, Prefer, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, X-Request-Id, "
    + "traceparent"

  /// Response headers that a page may read beside those that Fetch always shows.
  private static let exposed =
    "ETag, Location, Preference-Applied, Idempotency-Replayed, Retry-After, X-Request-Id"
}
