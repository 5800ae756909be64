package import FusionHTTPMessages
import FusionStrictJSON

/// An error that its client reads as a problem document (RFC 9457).
///
/// A route throws one to refuse a request, and ``HostedSessions`` to tell why a session could not do what was asked.
public struct HTTPError: Error, Sendable, CustomStringConvertible {
  package var problem: Problem

  package init(_ problem: Problem) {
    self.problem = problem
  }

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - status: a status from 400 to 599.
  ///   - detail: a sentence that tells the client what to do.
  ///   - type: a URI reference that tells programs this kind of problem from others.
  ///   - title: a name of the kind; by default one for the status.
  ///   - headers: header fields of the answer.
  public init(
    _ status: Int,
    _ detail: String,
    type: String = "about:blank",
    title: String? = nil,
    headers: Headers = [:]
  ) {
    problem = Problem(
      own: type,
      (400...599).contains(status) ? status : 500,
      title: title ?? titles[status] ?? "Error",
      detail: detail
    )
    problem.headers = headers.fields
  }

  /// The status.
  public var status: Int { problem.status }

  /// The URI reference of its kind, such as `/problems/unknown-session`.
  public var type: String { problem.type }

  /// The sentence that tells the client what to do.
  public var detail: String { problem.detail }

  /// The status, the title and the detail.
  public var description: String { "\(status) \(problem.title): \(detail)" }
}

extension HTTPError {
  /// Reads the problem of a session's answer; an answer without one says no more than its status.
  ///
  /// Extension members are left out: that of 412 is the session's State, which the route's client may not know.
  init(_ response: HTTPResponse) {
    if case .problem(var problem) = response.body {
      problem.members = []
      self.init(problem)
      return
    }
    var document: JSONValue?
    if case .bytes(let bytes) = response.body { document = try? JSONDocument(bytes).root }
    self.init(
      response.status,
      document?["detail"]?.string ?? "The service has answered \(response.status).",
      type: document?["type"]?.string ?? "about:blank",
      title: document?["title"]?.string
    )
    problem.headers["Retry-After"] = response.headers["Retry-After"]
  }
}

/// The names of the usual statuses (RFC 9110 §15.5).
private let titles = [
  400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 409: "Conflict",
  410: "Gone", 412: "Precondition Failed", 413: "Content Too Large", 415: "Unsupported Media Type",
  422: "Unprocessable Content", 429: "Too Many Requests", 500: "Internal Server Error",
  502: "Bad Gateway", 503: "Unavailable",
]
