import FusionHTTPMessages
import FusionHTTPToolkit
import FusionStrictJSON

extension APIDescription {
  static let parameters: JSONTree = [
    "SessionPath": [
      "name": "id", "in": "path", "required": true,
      "description": "The session's id: who holds it may use the session.",
      "schema": sessionID,
    ],
    "AnySessionPath": [
      "name": "id", "in": "path", "required": true,
      "description": "Any text: a preflight says what may be asked, not what is there.",
      "schema": text,
    ],
    "ViewModelPath": [
      "name": "name", "in": "path", "required": true, "schema": text,
    ],
    "ProblemPath": [
      "name": "name", "in": "path", "required": true,
      "description": "The last part of a problem's type.", "example": "queue-full",
      "schema": text,
    ],
    "IfNoneMatch": header("If-None-Match", "The version that is known already.", example: "\"7\""),
    "IfMatch": header(
      "If-Match",
      "The version to which the Inputs apply; looked at when they are processed.",
      example: "\"7\"",
      pattern: entityTags
    ),
    "Prefer": header(
      "Prefer",
      "RFC 7240: wait=seconds (60 at the most), return=minimal, respond-async. What was applied is "
        + "in Preference-Applied.",
      example: "wait=1"
    ),
    "IdempotencyKey": header(
      "Idempotency-Key",
      "The same key and body again are applied once, and get the first status and the current "
        + "snapshot.",
      example: "8e03978e-40d5-43dd-bc93-6894a57f9324",
      pattern: idempotencyKey
    ),
    "RequestID": header(
      RequestID.header,
      "What the request is to be called in the answer, in problems and in the log: 1 to 128 letters, "
        + "digits, dots, underscores and hyphens; else it gets a new name.",
      example: "0a1b2c3d"
    ),
    "IfSender": header(
      "If-Sender",
      "The Sender of an earlier answer: the request is refused if another identity sends it.",
      example: "5f0c7a1be2d94c36a8b1f0e7"
    ),
    "LastEventID": header("Last-Event-ID", "The last event that was seen.", example: "7"),
    "After": [
      "name": "after", "in": "query", "description": "Like Last-Event-ID, which wins.",
      "schema": text,
    ],
    "Format": [
      "name": "format", "in": "query",
      "description": "patch: after the first state, patches (RFC 6902) where they are shorter.",
      "schema": ["enum": ["patch"]],
    ],
    "SessionQuery": [
      "name": "session", "in": "query", "required": true, "style": "form", "explode": true,
      "description": "The sessions to follow, by their ids.",
      "schema": [
        "type": "array", "items": sessionID, "minItems": 1, "maxItems": 64,
      ],
    ],
  ]

  private static let sessionID: JSONTree = [
    "type": "string", "pattern": "^[A-Za-z0-9_-]{22}$",
  ]

  /// The schema of a part of a target, which may contain any character except NUL.
  private static let text: JSONTree = ["type": "string", "pattern": "^[^\\x00]*$"]

  /// The pattern of `If-Match` (RFC 9110 §13.1.1), including the empty elements and blanks that a list may
  /// have (§5.6.1.2).
  private static let entityTags: String = {
    let tag = #"(W/)?"[^\x00-\x20"\x7f]*"[ \t]*"#
    return #"^[ \t]*(\*[ \t]*|(\#(tag))?(,[ \t]*(\#(tag))?)*)$"#
  }()

  /// The pattern of a key: visible ASCII, bare or as a string by RFC 8941 §3.3.3.
  private static let idempotencyKey =
    #"^([!#-~][!-~]{0,254}|"([!#-\[\]-~]|\\[!-~]){1,255}")$"#

  private static func header(
    _ name: String,
    _ text: String,
    example: String,
    pattern: String? = nil
  ) -> JSONTree {
    let schema: JSONTree = ["type": "string"]
    return [
      "name": .string(name), "in": "header", "description": .string(text),
      "schema": pattern.map { schema.adding(["pattern": .string($0)]) } ?? schema,
      "example": .string(example),
    ]
  }

  static let headers: JSONTree = [
    "ETag": describing("The version, as an entity tag."),
    "X-Request-Id": describing("What this request is called."),
    "Allow": describing("The methods that the resource has."),
    "Location": describing("The session's path."),
    "Vary": describing("Which request headers the answer depends on."),
    "Content-Encoding": describing("gzip, where Accept-Encoding asks for it and it pays."),
    "Retry-After": [
      "description": "Seconds to wait.", "schema": ["type": "integer", "minimum": 0],
    ],
    "Settled": [
      "description": "Whether nothing that the Input started is left.",
      "schema": ["enum": ["true", "false"]],
    ],
    "Preference-Applied": describing("Which preferences were heeded."),
    "Sender": describing("What stands for the identity that sent the request, where it is known."),
    "Idempotency-Replayed": [
      "description": "The key was sent before: the first status, and the current snapshot.",
      "schema": ["const": "true"],
    ],
  ]

  private static func describing(_ description: String) -> JSONTree {
    ["description": .string(description), "schema": ["type": "string"]]
  }

  static let responses: JSONTree = [
    "400": failure(
      "The target, a header or the body is malformed, has an unknown member, or preferences contradict."
    ),
    "401": failure("The service does not know who sends it."),
    "403": failure("The Origin, the share or the view model's rule does not allow it."),
    "404": failure(
      "Nothing is at this path: no such view model or problem, or no session had this id."
    ),
    "410": failure("The session has ended, or cannot be read any more; create a new one."),
    "412": failure(
      "Another version is current, and `current` has the snapshot; or another identity than If-Sender sends it.",
      ["current": OpenAPI.schema("Snapshot")]
    ),
    "413": failure(
      "The body is too large, or a batch too long; `limit` has how many Inputs it may have.",
      ["limit": ["type": "integer"]]
    ),
    "414": ["description": "The target is too long."],
    "415": failure("The body is not application/json in UTF-8."),
    "421": failure("This Host is not served here."),
    "422": failure(
      "It is JSON, but does not fit; `known` has the names that there are.",
      [
        "known": ["type": "array", "items": ["type": "string"]],
        "member": ["type": "string", "description": "The faulty member."],
        "index": ["type": "integer", "description": "The faulty Input of a batch, from 0."],
        "limit": ["type": "integer", "description": "The bytes that a State may have as JSON."],
      ]
    ),
    "429": failure(
      "Too many Inputs wait, or the client has too much of something.",
      headers: ["Retry-After"]
    ),
    "431": ["description": "The request's head is too large."],
    "500": failure(
      "The State cannot be written as JSON; the Input was taken back.",
      [
        "member": ["type": "string", "description": "The member that cannot be written."],
        "index": ["type": "integer", "description": "The Input of a batch, from 0."],
      ]
    ),
    "503": failure(
      "Not now: a limit is reached, the store is out of reach, or the service stops.",
      headers: ["Retry-After"]
    ),
    "507": failure("The store is full; nothing was applied.", headers: ["Retry-After"]),
  ]

  private static func failure(
    _ description: String,
    _ members: JSONTree = [:],
    headers: [String] = []
  ) -> JSONTree {
    let problem = OpenAPI.schema("Problem")
    let schema: JSONTree =
      members == [:]
      ? problem : ["allOf": [problem, ["type": "object", "properties": members]]]
    return OpenAPI.answer(
      description,
      [("application/problem+json", schema), ("text/html", ["type": "string"])],
      headers: headers + ["Vary"]
    )
  }
}
