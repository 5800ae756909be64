/// The problems of requests as such, whatever they ask for, and of the server as a whole.
extension Problem {
  package static let malformedRequest = Problem(
    400,
    "malformed-request",
    "Malformed request",
    detail: "Send a method, header names and values that keep to RFC 9110, "
      + "without control characters."
  )

  package static let badHost = Problem(
    400,
    "bad-host",
    "Bad Host header",
    detail: "Send exactly one Host header, holding a host name or address "
      + "and, where it is needed, a port."
  )

  package static let badFraming = Problem(
    400,
    "bad-framing",
    "Bad message framing",
    detail: "Send at most one Content-Length, or over HTTP/1.1 "
      + "Transfer-Encoding: chunked alone instead."
  )

  package static let badTarget = Problem(
    400,
    "bad-target",
    "Bad request target",
    detail: "Send a path that begins with a slash, in valid UTF-8, "
      + "and escape every other character as % and two hexadecimal digits."
  )

  package static func contentTooLarge(limit: Int) -> Problem {
    Problem(
      413,
      "content-too-large",
      "Content too large",
      detail: "Send a body of at most \(limit) bytes; --max-body sets that limit."
    ).adding("limit", json: Array(String(limit).utf8))
  }

  /// The handler released `respond` without calling it, or answered with a status below 200.
  package static let noAnswer = Problem(
    500,
    "no-answer",
    "No answer",
    detail: "Report this to whoever runs the service; the request may have taken effect."
  )

  package static let unknownMethod = Problem(
    501,
    "unknown-method",
    "Unknown method",
    detail: "Use one of \(HTTPMethod.allCases.map(\.rawValue).joined(separator: ", "))."
  )

  package static func tooManyConnections(limit: Int) -> Problem {
    Problem(
      503,
      "too-many-connections",
      "Too many connections",
      detail: "Try again in a few seconds, or share connections between requests. There may be "
        + "\(limit); --max-connections sets that limit."
    ).adding("limit", json: Array(String(limit).utf8)).with("Retry-After", "5")
  }

  package static let draining = Problem(
    503,
    "draining",
    "The service is stopping",
    detail: "Try again: another instance will answer."
  ).with("Retry-After", "5")

  /// Also the response to a request that the handler still holds when the server stops: it may take effect.
  package static let storeInDoubt = Problem(
    503,
    "store-in-doubt",
    "The store did not say what it did",
    detail:
      "Look at the session before you try again, or repeat with the same Idempotency-Key: the "
      + "request may have been applied."
  ).with("Retry-After", "1")

  package static let unknownVersion = Problem(
    505,
    "unknown-http-version",
    "HTTP version not supported",
    detail: "Send the request with HTTP/1.1 or HTTP/1.0."
  )
}
