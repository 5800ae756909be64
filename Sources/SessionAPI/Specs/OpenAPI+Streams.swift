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
        "200": Self.events, "404": Self.problem("404"), "410": Self.problem("410"),
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
        "200": Self.events, "400": Self.problem("400"), "404": Self.problem("404"),
        "410": Self.problem("410"),
      ]
    )
  }

  private static let events = answer(
    "A stream that goes on until the sessions end.",
    ["type": "string"],
    type: "text/event-stream"
  )
}
