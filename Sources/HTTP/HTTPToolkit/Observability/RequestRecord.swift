package import FusionHTTPMessages

/// What the log says of one request, once it is answered: a stream's when it has ended.
package struct RequestRecord: Sendable {
  package let id: RequestID
  /// Nil where the head could not be believed.
  package let method: HTTPMethod?
  /// The pattern of the path, never the path, which may hold a session's id; nil where none was looked
  /// for, or fits.
  package let route: String?
  package let status: Int
  /// Of the body, as they were handed over to be sent: without what frames them.
  package var bytes = 0
  /// From the complete request to its answer, or to its stream's end.
  package var duration: Duration
  /// The beginning of the session's id that the path names.
  package let session: String?
  /// Who asked; behind a trusted proxy, who asked that.
  package let client: IPAddress?
  /// The id of the trace that it belongs to (W3C Trace Context).
  package let trace: String?
  /// The type of the problem that it is answered with, if it is one.
  package let problem: String?
}
