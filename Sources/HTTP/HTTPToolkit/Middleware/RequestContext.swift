import FusionHTTPMessages
import FusionMetrics
import FusionSessions

/// What is kept of a request until its answer leaves, for the steps that the answer passes.
struct RequestContext: Sendable {
  let id: RequestID
  /// Nil where the head could not be believed.
  let method: HTTPMethod?
  /// Nil where none fits.
  let route: Route?
  /// That which the path names.
  let session: SessionID?
  /// Who asked; nil where that is not known.
  let client: IPAddress?
  /// The id of the trace that it belongs to, where it is to be logged.
  let trace: String?
  /// Where pages of other origins are let in, the page's that asks.
  let origin: Origin?
  /// Runs since it was complete.
  let stopwatch = Stopwatch()

  struct Origin: Sendable {
    let text: String
    /// Whether a browser asks what a page may do (Fetch §4.8).
    let isPreflight: Bool
  }
}
