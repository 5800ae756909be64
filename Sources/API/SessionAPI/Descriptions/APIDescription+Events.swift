import FusionHTTPToolkit
import FusionStrictJSON

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
