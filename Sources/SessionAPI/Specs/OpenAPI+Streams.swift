import StrictJSON

/// Server-sent events.
extension OpenAPI {
  var streamPaths: [Path] {
    [
      ("/sessions/{id}/events", Self.resource(get: follow)),
      ("/events", Self.resource(get: followSeveral)),
    ]
  }

  private var follow: Operation {
    Operation(
      id: "followSession",
      tag: "Streams",
      summary: "Follow a session",
      description: """
        event: state, data: {"version":7,"state":{…}}, id: the version. The first one is the current \
        snapshot, unless it is known already; later ones have larger versions, and a slow reader skips \
        to the newest. With format=patch, event: patch, data: {"from":7,"version":8,"patch":[…]}. \
        event: end, data: {"reason":"deleted"} (or expired) is the last.
        """,
      parameters: [
        Self.parameter("SessionPath"), Self.parameter("LastEventID"), Self.parameter("After"),
        Self.parameter("Format"),
      ],
      responses: [
        "200": Self.events("Event"), "404": Self.problem("404"), "410": Self.problem("410"),
      ]
    )
  }

  private var followSeveral: Operation {
    Operation(
      id: "followSessions",
      tag: "Streams",
      summary: "Follow several sessions over one connection",
      description: "Data has a member `session`; one opaque id stands for them all.",
      parameters: [
        Self.parameter("SessionQuery"), Self.parameter("LastEventID"), Self.parameter("After"),
        Self.parameter("Format"),
      ],
      responses: [
        "200": Self.events("SharedEvent"), "404": Self.problem("404"), "410": Self.problem("410"),
      ]
    )
  }

  private static func events(_ event: String) -> JSONTree {
    answer(
      "A stream that goes on until the sessions end; the schema is that of each event.",
      schema(event),
      type: "text/event-stream"
    )
  }

  /// An event as a client gets it from its parser (WHATWG HTML §9.2.6).
  static let eventSchemas: [Schema] = [
    ("Event", event(named: [:])), ("SharedEvent", event(named: ["session": ["type": "string"]])),
  ]

  private static func event(named session: JSONTree) -> JSONTree {
    let snapshot: JSONTree = ["version": schema("Version"), "state": schema("State")]
    let patch: JSONTree = [
      "from": schema("Version"), "version": schema("Version"),
      "patch": ["type": "array", "items": operation],
    ]
    let end: JSONTree = ["reason": ["enum": ["deleted", "expired"]]]
    return [
      "anyOf": .array(
        [("state", snapshot), ("patch", patch), ("end", end)].map { name, members in
          [
            "type": "object",
            "properties": [
              "event": ["const": .string(name)], "id": ["type": "string"],
              "data": [
                "type": "string", "contentMediaType": "application/json",
                "contentSchema": object(session.adding(members)),
              ],
            ],
            "required": ["event", "data"],
          ]
        }
      )
    ]
  }

  /// RFC 6902, as far as patches here go.
  private static let operation: JSONTree = [
    "type": "object",
    "properties": [
      "op": ["enum": ["add", "remove", "replace"]], "path": ["type": "string"], "value": [:],
    ],
    "required": ["op", "path"],
  ]
}
