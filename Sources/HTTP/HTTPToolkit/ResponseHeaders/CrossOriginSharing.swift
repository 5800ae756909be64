package import FusionHTTPMessages

/// Permission for the pages of allowed origins to read responses (Fetch §3.3, CORS).
package final class CrossOriginSharing: ResponseStep {
  private let origins: AllowedOrigins
  private let accepted: String
  private let exposed: String

  /// Creates the step.
  ///
  /// A page may send the `accepted` request headers beside those that Fetch lets through, and read the `exposed`
  /// response headers beside those that Fetch shows.
  package init(
    with origins: AllowedOrigins,
    accepting accepted: [String],
    exposing exposed: [String]
  ) {
    self.origins = origins
    self.accepted = accepted.joined(separator: ", ")
    self.exposed = exposed.joined(separator: ", ")
  }

  package func finish(_ response: inout HTTPResponse, to request: RequestContext) {
    // Without an Origin, too: a cache must not give one origin's response to another.
    response.headers.addVary("Origin")
    guard let origin = origins.allowed(in: request.headers) else { return }
    response.headers.append("Access-Control-Allow-Origin", origin)
    response.headers.append("Access-Control-Expose-Headers", exposed)
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    // A preflight (Fetch §4.8).
    guard request.method == .options, request.headers["Access-Control-Request-Method"] != nil,
      let methods = response.headers["Allow"]
    else { return }
    response.headers.append("Access-Control-Allow-Methods", methods)
    response.headers.append("Access-Control-Allow-Headers", accepted)
    // Two hours, the longest that any browser remembers.
    response.headers.append("Access-Control-Max-Age", "7200")
  }
}

extension HTTPHeaders {
  /// Adds a request header to those on which the response depends (RFC 9110 §12.5.5).
  mutating func addVary(_ name: String) {
    self["Vary"] = self["Vary"].map { "\($0), \(name)" } ?? name
  }
}
