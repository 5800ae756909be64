import HTTPMessages
import StrictJSON

extension Route {
  /// The route `/sessions/{id}/inputs`.
  static let inputs = Route(
    "/sessions/{id}/inputs",
    .onSession(
      .post,
      Operation(
        id: "sendInputs",
        tag: "Sessions",
        summary: "Send one Input, or a batch of them",
        description: """
          Inputs are processed one after another. The answer comes when the last one has been processed \
          up to where it first waits; Prefer changes that.
          """,
        parameters: [
          OpenAPI.parameter("SessionPath"), OpenAPI.parameter("Prefer"),
          OpenAPI.parameter("IdempotencyKey"), OpenAPI.parameter("IfMatch"),
        ],
        body: [
          "anyOf": [
            OpenAPI.schema("Input"), ["type": "array", "items": OpenAPI.schema("Input")],
          ]
        ],
        responses: [
          "200": OpenAPI.answer("Processed.", OpenAPI.schema("InputResult"), headers: headers),
          "202": OpenAPI.answer("Still waiting.", OpenAPI.schema("InputResult"), headers: headers),
          "204": OpenAPI.empty("Processed (Prefer: return=minimal).", headers: headers),
          "400": OpenAPI.problem("400"), "403": OpenAPI.problem("403"),
          "404": OpenAPI.problem("404"), "410": OpenAPI.problem("410"),
          "412": OpenAPI.problem("412"), "413": OpenAPI.problem("413"),
          "415": OpenAPI.problem("415"), "422": OpenAPI.problem("422"),
          "429": OpenAPI.problem("429"), "500": OpenAPI.problem("500"),
          "503": OpenAPI.problem("503"),
          "507": OpenAPI.problem("507"),
        ]
      )
    ) { api, id, request, respond throws(Problem) in
      try api.submitInputs(request, for: id, respond: respond)
    }
  )

  private static let headers = ["ETag", "Preference-Applied", "Idempotency-Replayed"]
}
