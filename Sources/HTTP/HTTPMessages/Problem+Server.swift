/// The problems that the server itself reports: malformed requests, limits and stops.
extension Problem {
  /// The rows of this file, for the table of problems.
  package static let ofServer: [Problem] = [
    .badFraming, .badHost, .badTarget, .contentTooLarge, .draining, .malformedRequest,
    .noAnswer, .storeInDoubt, .tooManyConnections, .unknownHTTPVersion, .unknownMethod,
  ]

  package static let badFraming = Problem(
    400,
    "bad-framing",
    "Bad message framing",
    detail:
      "Send at most one Content-Length, or over HTTP/1.1 Transfer-Encoding: chunked alone "
      + "instead.",
    meaning:
      "The headers do not say in one way where the body ends: two lengths, a length beside "
      + "chunks, chunks over HTTP/1.0, or a coding other than chunked. A proxy in front could "
      + "read such a request otherwise. Clients frame requests by themselves: look for a "
      + "header that the program or a proxy adds."
  )

  package static let badHost = Problem(
    400,
    "bad-host",
    "Bad Host header",
    detail: "Send exactly one Host header, such as Host: example.org:8080.",
    meaning:
      "There is no Host header, there are several, or it is no host name or address with an "
      + "optional port."
  )

  package static let badTarget = Problem(
    400,
    "bad-target",
    "Bad request target",
    detail:
      "Send a path that begins with a slash, in valid UTF-8, and escape every other "
      + "character as % and two hexadecimal digits.",
    meaning:
      "The path or the query is not valid: it does not begin with a slash, has a bad escape, "
      + "or is no UTF-8. In JavaScript, encodeURIComponent escapes."
  )

  package static let contentTooLarge = Problem(
    413,
    "content-too-large",
    "Content too large",
    detail: "Send a body of fewer bytes, or several requests.",
    meaning: "The body has more bytes than the service takes. Nothing was applied.",
    limit: "max-body"
  )

  package static let draining = Problem(
    503,
    "draining",
    "The service is stopping",
    detail: "Try again: another instance will answer.",
    meaning: "The service was asked to stop, and takes nothing new. Nothing was applied."
  ).with("Retry-After", "5")

  package static let malformedRequest = Problem(
    400,
    "malformed-request",
    "Malformed request",
    detail:
      "Send a method, header names and values that keep to RFC 9110, without control "
      + "characters.",
    meaning:
      "The method, or a header's name or value, has characters that HTTP does not allow "
      + "there, such as a line break that the program puts into a header."
  )

  package static let noAnswer = Problem(
    500,
    "no-answer",
    "No answer",
    detail: "Report this to whoever runs the service; the request may have taken effect.",
    meaning: "The service failed to answer this request. It may have taken effect.",
    advice:
      "Look at the session before you send it again, and report it to whoever runs the "
      + "service, with the requestId."
  )

  package static let storeInDoubt = Problem(
    503,
    "store-in-doubt",
    "The store did not say what it did",
    detail:
      "Look at the session before you try again, or repeat with the same Idempotency-Key: "
      + "the request may have been applied.",
    meaning:
      "The request was handed to the store, which did not answer, or failed in the middle: "
      + "it may have been applied. A request that is repeated with its Idempotency-Key is "
      + "applied once."
  ).with("Retry-After", "1")

  package static let tooManyConnections = Problem(
    503,
    "too-many-connections",
    "Too many connections",
    detail: "Try again in a few seconds, or share connections between requests.",
    meaning: "As many connections are open as are allowed, by this limit or by that of open files.",
    limit: "max-connections"
  ).with("Retry-After", "5")

  package static let unknownHTTPVersion = Problem(
    505,
    "unknown-http-version",
    "HTTP version not supported",
    detail: "Send the request with HTTP/1.1 or HTTP/1.0.",
    meaning:
      "The request names a version of HTTP that the service does not speak. A proxy in front "
      + "may speak it."
  )

  package static let unknownMethod = Problem(
    501,
    "unknown-method",
    "Unknown method",
    detail: "Use one of \(HTTPMethod.allCases.map(\.rawValue).joined(separator: ", ")).",
    meaning:
      "The method is none that the service knows for any resource. /openapi.json has those of each."
  )
}
