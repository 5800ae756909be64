import HTTPMessages

/// Requests that never reach the handler, and why; each closes its connection.
enum RejectedRequest: Error, Sendable, Equatable {
  case malformedHead
  case badHost
  case badFraming
  case badTarget
  case unknownMethod
  case unknownVersion
  case tooLarge(limit: Int)
  case tooManyConnections
  case stopping
  /// The handler let go of its `respond` without calling it, or gave a status that ends no request.
  case noAnswer

  var problem: Problem {
    switch self {
    case .malformedHead:
      Problem(
        400,
        "malformed-request",
        "Malformed request",
        detail: "Send a method, header names and values that keep to RFC 9110, "
          + "without control characters."
      )
    case .badHost:
      Problem(
        400,
        "bad-host",
        "Bad Host header",
        detail: "Send exactly one Host header, holding a host name or address "
          + "and, where it is needed, a port."
      )
    case .badFraming:
      Problem(
        400,
        "bad-framing",
        "Bad message framing",
        detail: "Send at most one Content-Length, or over HTTP/1.1 "
          + "Transfer-Encoding: chunked alone instead."
      )
    case .badTarget:
      Problem(
        400,
        "bad-target",
        "Bad request target",
        detail: "Send a path that begins with a slash, in valid UTF-8, "
          + "and escape every other character as % and two hexadecimal digits."
      )
    case .unknownMethod:
      Problem(
        501,
        "unknown-method",
        "Unknown method",
        detail: "Use one of \(HTTPMethod.allCases.map(\.rawValue).joined(separator: ", "))."
      )
    case .unknownVersion:
      Problem(
        505,
        "unknown-http-version",
        "HTTP version not supported",
        detail: "Send the request with HTTP/1.1 or HTTP/1.0."
      )
    case .tooLarge(let limit):
      Problem(
        413,
        "content-too-large",
        "Content too large",
        detail: "Send a body of at most \(limit) bytes."
      )
    case .tooManyConnections:
      Problem(
        503,
        "too-many-connections",
        "Too many connections",
        detail: "Try again in a few seconds, or share connections between requests."
      ).with("Retry-After", "5")
    case .stopping:
      Problem(
        503,
        "draining",
        "Server is stopping",
        detail: "Send the request again; another instance may answer it."
      ).with("Retry-After", "1")
    case .noAnswer:
      Problem(
        500,
        "no-answer",
        "No answer",
        detail: "Report this to whoever runs the service; the request may have taken effect."
      )
    }
  }

  var response: HTTPResponse {
    problem.with("Connection", "close").response
  }
}
