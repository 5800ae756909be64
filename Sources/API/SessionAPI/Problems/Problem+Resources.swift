import FusionHTTPMessages
import FusionStrictJSON

/// What may be wrong with a request to any resource, and with those that are about no session.
extension Problem {
  static func malformed(_ error: JSONError) -> Problem {
    Problem(
      400,
      "malformed-json",
      "The body is not JSON",
      detail: "Mend the body and send it again: \(error)."
    )
  }

  static func unknownMember(_ error: JSONError) -> Problem {
    Problem(
      400,
      "unknown-member",
      "Unknown member",
      detail: "Leave it out or mend its name: \(error)."
    ).naming(error.member)
  }

  static func invalidQuery(_ member: String, _ detail: String) -> Problem {
    Problem(400, "invalid-query", "The query does not fit", detail: detail).naming(member)
  }

  /// Given the host that the service takes for its own.
  static func foreignOrigin(host: String?) -> Problem {
    Problem(
      403,
      "foreign-origin",
      "The page's origin is not allowed",
      detail:
        "Send this from a page of the service's own origin, allow another with --allow-origin, or, "
        + "behind a proxy, have that pass on the browser's host (Host, or X-Forwarded-Host with "
        + "--trusted-proxy)."
    ).adding("host", host ?? "")
  }

  static let notFound = Problem(
    404,
    "not-found",
    "Not found",
    detail: "There is nothing at this path; GET / presents what there is."
  )

  /// 404 where the path names it, 422 where the body does.
  static func unknownViewModel(_ status: Int, known: [String]) -> Problem {
    Problem(
      status,
      "unknown-view-model",
      "Unknown view model",
      detail: "Name one of those that GET /view-models lists."
    ).adding("known", known)
  }

  /// Given the methods that the resource has, as `Allow` lists them.
  static func methodNotAllowed(allow: String) -> Problem {
    Problem(
      405,
      "method-not-allowed",
      "Method not allowed",
      detail: "Use one of the methods that this resource has: \(allow)."
    ).with("Allow", allow)
  }

  static let unsupportedMediaType = Problem(
    415,
    "unsupported-media-type",
    "Unsupported media type",
    detail: "Send the body as JSON in UTF-8, with Content-Type: application/json."
  ).with("Accept", "application/json")

  /// RFC 9110 §15.5.17.
  static func unsatisfiableRange(length: Int) -> Problem {
    Problem(
      416,
      "unsatisfiable-range",
      "There is no such part",
      detail: "Ask for bytes within the \(length) that there are, or for all of them."
    ).with("Content-Range", "bytes */\(length)")
  }

  /// RFC 9110 §15.5.20.
  static let misdirected = Problem(
    421,
    "misdirected-request",
    "Not a host of this service",
    detail: "Use a host name that the service is known by; --allow-host adds one."
  )

  static let starting = Problem(
    503,
    "starting",
    "The service is starting",
    detail: "Try again in a moment."
  ).with("Retry-After", "1")

  func naming(_ member: String?) -> Problem {
    member.map { adding("member", $0) } ?? self
  }
}
