package import FusionHTTPMessages

/// Permission for the pages of allowed origins to read responses (Fetch §3.3, CORS).
package final class CrossOriginSharing: ResponseStep {
  private let origins: AllowedOrigins
  private let accepted: String
  private let exposed: String
  private let acceptsOthers: Bool

  /// Creates the step.
  ///
  /// A page may send the `accepted` request headers in addition to those that Fetch always allows, and read
  /// the `exposed` response headers in addition to those that Fetch always exposes. With `acceptsOthers` it
  /// may send any header that it asks for, since the program may read its own headers.
  package init(
    with origins: AllowedOrigins,
    accepting accepted: [String],
    exposing exposed: [String],
    acceptsOthers: Bool = false
  ) {
    self.origins = origins
    self.accepted = accepted.joined(separator: ", ")
    self.exposed = exposed.joined(separator: ", ")
    self.acceptsOthers = acceptsOthers
  }

  package func finish(_ response: inout HTTPResponse, to request: RequestContext) {
    // Also without an Origin: a cache must not give one origin's response to another.
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
    response.headers.append("Access-Control-Allow-Headers", accepted + others(in: request))
    // Two hours, the maximum that browsers remember.
    response.headers.append("Access-Control-Max-Age", "7200")
  }

  /// Returns the additional headers that a preflight asks for, to be appended.
  private func others(in request: RequestContext) -> String {
    guard acceptsOthers, let list = request.headers.list("Access-Control-Request-Headers") else {
      return ""
    }
    let known = Set(accepted.lowercased().split(separator: ", ").map(String.init))
    let asked = list.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
    return asked.filter { ByteSet.token.containsAll(of: $0) && !$0.isEmpty }
      .filter { !known.contains($0.lowercased()) }.map { ", \($0)" }.joined()
  }
}
