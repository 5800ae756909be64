import FusionHTTPToolkit
import FusionStrictJSON

/// The description of the whole API as an OpenAPI 3.1 document, including the types of the hosted view
/// models.
struct APIDescription {
  let specs: [ViewModelSpec]
  let basePath: BasePath
  /// The paths object.
  let paths: JSONTree
  /// The schemas to which only the program's own routes refer.
  let ownSchemas: [JSONTree.Member]
  /// Whether requests may identify their sender.
  let hasSenders: Bool

  var document: JSONTree {
    guard hasSenders else { return withoutSenders }
    let components = withoutSenders["components"]?.adding(["securitySchemes": Self.securitySchemes])
    let members = withoutSenders.members.map { member in
      member.name == "components" ? .init(member.name, components ?? member.value) : member
    }
    // Each one alone is sufficient, and open resources need none.
    return .object(members + [.init("security", [["token": []], ["login": []], [:]])])
  }

  private static let securitySchemes: JSONTree = [
    "token": [
      "type": "http", "scheme": "bearer",
      "description": "A token of the service, or a JSON Web Token.",
    ],
    "login": [
      "type": "apiKey", "in": "cookie", "name": "uifusion-login",
      "description": "A signed cookie; over TLS its name begins with __Host-.",
    ],
  ]

  private var withoutSenders: JSONTree {
    [
      "openapi": "3.1.1",
      "info": info,
      "servers": [["url": .string(basePath.isRoot ? "/" : basePath.text)]],
      "tags": tags,
      "paths": paths,
      "components": [
        "schemas": .object(schemas.map { JSONTree.Member($0.name, $0.schema) } + ownSchemas),
        "parameters": Self.parameters,
        "headers": Self.headers,
        "responses": Self.responses,
      ],
    ]
  }

  private var info: JSONTree {
    [
      "title": "UIFusion",
      "version": "1",
      "description": """
      Hosts view models. Inputs are posted as JSON, State leaves as snapshots. Who holds a session's \
      id may use the session.
      """,
    ]
  }

  private var tags: JSONTree {
    [
      ["name": "View models", "description": "What is hosted."],
      ["name": "Sessions", "description": "View models at work, and the Inputs sent to them."],
      ["name": "Streams", "description": "State as it changes, as server-sent events."],
      ["name": "Service", "description": "Health, metrics, problems and the front end."],
    ]
  }
}

extension OpenAPI {
  /// Returns the description of a stream in each format; `event` is the name of its schema in the first
  /// format.
  static func stream(of event: String) -> JSONTree {
    answer(
      "A stream that goes on until the sessions end; the schema is that of each event.",
      streams(of: [event]),
      headers: ["Vary", "Content-Encoding"]
    )
  }

  /// Returns the media type of each format, with a schema for any of the given events.
  static func streams(of events: [String]) -> [(type: String, schema: JSONTree)] {
    StreamFormats.all.enumerated().map { index, format in
      let schemas = events.map { schema($0 + APIDescription.suffix(index)) }
      return (format.mediaType, schemas.count == 1 ? schemas[0] : ["anyOf": .array(schemas)])
    }
  }
}

extension APIDescription {
  /// The schemas of the events of streams, of one session and of several, in each format.
  static let eventSchemas: [Schema] = [
    ("Event", [:] as JSONTree), ("SharedEvent", ["session": ["type": "string"]]),
  ].flatMap { name, session in
    StreamFormats.all.enumerated().map { index, format in
      (name + suffix(index), format.schema(of: events(with: session)))
    }
  }

  fileprivate static func suffix(_ index: Int) -> String {
    index == 0 ? "" : "As.\(StreamFormats.all[index].mediaType.split(separator: "/").last ?? "")"
  }

  private static func events(with session: JSONTree) -> [EventShape] {
    let snapshot: JSONTree = [
      "version": OpenAPI.schema("Version"), "state": OpenAPI.schema("State"),
    ]
    let patch: JSONTree = [
      "from": OpenAPI.schema("Version"), "version": OpenAPI.schema("Version"),
      "patch": ["type": "array", "items": operation],
    ]
    let end: JSONTree = ["reason": ["enum": ["deleted", "expired"]]]
    // The end of a stream, not of a session.
    let signedOut = EventShape(name: .end, members: ["reason": ["const": "signed-out"]])
    let ofSessions: [(WireEvent.Name, JSONTree)] = [
      (.state, snapshot), (.patch, patch), (.end, end),
    ]
    return ofSessions.map { EventShape(name: $0, members: session.adding($1)) } + [signedOut]
  }

  /// The schema of an RFC 6902 operation, of the three kinds that patches use.
  private static let operation: JSONTree = [
    "type": "object",
    "properties": [
      "op": ["enum": ["add", "remove", "replace"]], "path": ["type": "string"], "value": [:],
    ],
    "required": ["op", "path"],
  ]
}
