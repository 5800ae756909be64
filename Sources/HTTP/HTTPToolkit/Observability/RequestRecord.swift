package import FusionHTTPMessages

/// The record of one answered request for the log; a stream has its record when it has ended.
package struct RequestRecord: Sendable {
  package let id: RequestID
  /// Nil where the head could not be believed.
  package let method: HTTPMethod?
  /// The pattern of the path, never the path itself, which may hold a secret; nil where no route matches.
  package let route: String?
  package let status: Int
  /// The bytes of the body that were handed over to be sent, without their framing.
  package var bytes = 0
  /// The time from the complete request to its response, or to the end of its stream.
  package var duration: Duration
  /// The thing that the path names, as far as the log may show it.
  package let subject: String?
  /// The address of the client; behind a trusted proxy, that of the proxy's client.
  package let client: IPAddress?
  /// The id of the trace that the request belongs to (W3C Trace Context).
  package let trace: String?
  /// The type of the problem that is the response, if it is one.
  package let problem: String?
}
