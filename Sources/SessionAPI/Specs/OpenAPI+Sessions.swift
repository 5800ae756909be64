import StrictJSON

/// Sessions and Inputs.
extension OpenAPI {
  var sessionPaths: [Path] {
    [
      ("/sessions", Self.resource(post: create)),
      ("/sessions/{id}", Self.resource(get: show, delete: delete)),
      ("/sessions/{id}/inputs", Self.resource(post: send)),
    ]
  }

  private var create: Operation {
    Operation(
      id: "createSession",
      tag: "Sessions",
      summary: "Create a session",
      body: Self.schema("NewSession"),
      responses: [
        "201": Self.answer("The session.", Self.schema("Session"), headers: ["Location", "ETag"]),
        "400": Self.problem("400"), "403": Self.problem("403"), "413": Self.problem("413"),
        "415": Self.problem("415"), "422": Self.problem("422"), "503": Self.problem("503"),
        "507": Self.problem("507"),
      ]
    )
  }

  private var show: Operation {
    Operation(
      id: "getSession",
      tag: "Sessions",
      summary: "Look at a session",
      description: "With If-None-Match and Prefer: wait, held until the version moves (long poll).",
      parameters: [
        Self.parameter("SessionPath"), Self.parameter("IfNoneMatch"), Self.parameter("Prefer"),
      ],
      responses: [
        "200": Self.answer(
          "The session.",
          Self.schema("Session"),
          headers: ["ETag", "Preference-Applied"]
        ),
        "304": Self.empty("The version is current.", headers: ["ETag", "Preference-Applied"]),
        "400": Self.problem("400"), "404": Self.problem("404"), "410": Self.problem("410"),
        "503": Self.problem("503"),
      ]
    )
  }

  private var delete: Operation {
    Operation(
      id: "deleteSession",
      tag: "Sessions",
      summary: "End a session",
      parameters: [Self.parameter("SessionPath")],
      responses: [
        "204": Self.empty("What it was doing is cancelled, and its streams end."),
        "403": Self.problem("403"), "404": Self.problem("404"), "410": Self.problem("410"),
        "503": Self.problem("503"), "507": Self.problem("507"),
      ]
    )
  }

  private var send: Operation {
    Operation(
      id: "sendInputs",
      tag: "Sessions",
      summary: "Send one Input, or a batch of them",
      description: """
        Inputs are taken up one after another. The answer comes when the last one has been taken up and \
        has done what it does before it first waits; Prefer changes that.
        """,
      parameters: [
        Self.parameter("SessionPath"), Self.parameter("Prefer"), Self.parameter("IdempotencyKey"),
        Self.parameter("IfMatch"),
      ],
      body: [
        "anyOf": [
          Self.schema("Input"), ["type": "array", "items": Self.schema("Input")],
        ]
      ],
      responses: [
        "200": Self.answer("Taken up.", Self.schema("InputResult"), headers: Self.ofInputs),
        "202": Self.answer("Still waiting.", Self.schema("InputResult"), headers: Self.ofInputs),
        "204": Self.empty("Taken up (Prefer: return=minimal).", headers: Self.ofInputs),
        "400": Self.problem("400"), "403": Self.problem("403"), "404": Self.problem("404"),
        "410": Self.problem("410"), "412": Self.problem("412"), "413": Self.problem("413"),
        "415": Self.problem("415"), "422": Self.problem("422"), "429": Self.problem("429"),
        "503": Self.problem("503"), "507": Self.problem("507"),
      ]
    )
  }

  private static let ofInputs = ["ETag", "Preference-Applied", "Idempotency-Replayed"]
}
