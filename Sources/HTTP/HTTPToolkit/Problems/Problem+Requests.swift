package import FusionHTTPMessages

/// The problems of requests to any resource: target, method, origin, body and range.
extension Problem {
  /// The rows of this file, for the table of problems.
  package static let ofRequests: [Problem] = [
    .foreignOrigin, .invalidBody, .invalidQuery, .malformedJSON, .methodNotAllowed, .misdirected,
    .notFound,
    .unknownMember, .unsatisfiableRange, .unsupportedMediaType,
  ]

  package static let foreignOrigin = Problem(
    403,
    "foreign-origin",
    "The page's origin is not allowed",
    detail:
      "Send this from a page of the service's own origin, allow another with --allow-origin, "
      + "or, behind a proxy, have that pass on the browser's host (Host, or X-Forwarded-Host "
      + "with --trusted-proxy).",
    meaning:
      "A page of another origin tried to change something, and the service does not know "
      + "that origin. Nothing was changed. The members host and origin say what has arrived."
  )

  package static let invalidBody = Problem(
    422,
    "invalid-body",
    "The body does not fit",
    detail: "Correct the body: {}.",
    meaning:
      "The body is JSON, but not of the form that this route takes; detail and member say "
      + "where.",
    advice: "Correct the body; /openapi.json has the form, where the route is described."
  )

  package static let invalidQuery = Problem(
    400,
    "invalid-query",
    "The query does not fit",
    detail: "{}",
    meaning:
      "A parameter in the query is missing, or has a value that does not fit; detail and "
      + "member say which.",
    advice: "Correct that parameter; /openapi.json describes those of each resource."
  )

  package static let malformedJSON = Problem(
    400,
    "malformed-json",
    "The body is not JSON",
    detail: "Correct the body and send it again: {}.",
    meaning:
      "The body is no JSON in UTF-8 (RFC 8259): cut off, with text behind its end, with a "
      + "key twice, or nested too deep. The detail says where.",
    advice:
      "Correct the body and send it again. In a shell, put it into single quotes; in a program, "
      + "let a library write the JSON."
  )

  package static let methodNotAllowed = Problem(
    405,
    "method-not-allowed",
    "Method not allowed",
    detail: "Use one of the methods that this resource has: {}.",
    meaning: "There is something at this path, but not for this method.",
    advice:
      "Use one of those in Allow. Inputs are sent with POST, a session is ended with DELETE."
  )

  package static let misdirected = Problem(
    421,
    "misdirected-request",
    "Not a host of this service",
    detail: "Use a host name that the service is known by; --allow-host adds one.",
    meaning:
      "The Host header names a host that this service does not answer for. On a loopback "
      + "address only loopback names are answered, so that no foreign page reaches it under a "
      + "name of its own (DNS rebinding). Behind a proxy or a container's port, --allow-host "
      + "is needed, too."
  )

  package static let notFound = Problem(
    404,
    "not-found",
    "Not found",
    detail: "There is nothing at this path; GET / presents what there is.",
    meaning:
      "There is nothing at this path: neither a resource of the service nor a file of its "
      + "front end.",
    advice:
      "Check the path: /openapi.json lists the resources. A new file of the front end is "
      + "seen within a second on a loopback address, else after SIGHUP or a restart."
  )

  package static let unknownMember = Problem(
    400,
    "unknown-member",
    "Unknown member",
    detail: "Leave it out or correct its name: {}.",
    meaning:
      "The object in the body has a member that the service does not know, which member "
      + "names. It is refused, so that a misspelling does not go unnoticed.",
    advice: "Correct the member's name, or leave it out."
  )

  package static let unsatisfiableRange = Problem(
    416,
    "unsatisfiable-range",
    "There is no such part",
    detail: "Ask for bytes within the {} that there are, or for all of them.",
    meaning:
      "The Range header asks for bytes behind the end of the file; Content-Range says how "
      + "many there are.",
    advice:
      "Ask for a part within those, or leave Range out. A download that was cut off may be "
      + "complete already."
  )

  package static let unsupportedMediaType = Problem(
    415,
    "unsupported-media-type",
    "Unsupported media type",
    detail: "Send the body as JSON in UTF-8, with Content-Type: application/json.",
    meaning:
      "The body is not declared as JSON in UTF-8, or it is compressed (Content-Encoding). With curl: "
      + "-H 'Content-Type: application/json'."
  ).with("Accept", "application/json")
}
