import FusionHTTPMessages
import FusionSessions
import FusionStrictJSON
import FusionTypeShapes
import UIFusionKit

extension Route {
  /// The route `/sessions/{id}/inputs`.
  static let inputs = Route(
    "/sessions/{id}/inputs",
    Endpoint(
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
          "200": OpenAPI.answer("Processed.", OpenAPI.schema("InputResult"), headers: bodyHeaders),
          "202": OpenAPI.answer(
            "Still waiting.",
            OpenAPI.schema("InputResult"),
            headers: bodyHeaders
          ),
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
    ) { api, path, request, respond throws(Problem) in
      try api.submitInputs(request, for: path.sessionID(), respond: respond)
    }
  )

  private static let headers = ["ETag", "Preference-Applied", "Idempotency-Replayed"]

  /// Of an answer with a State, which is compressed where that is large.
  private static let bodyHeaders = headers + ["Vary", "Content-Encoding"]
}

extension SessionAPI {
  /// Submits the body's Inputs to the session, and answers when the last one is processed, or when
  /// else the headers say.
  func submitInputs(
    _ request: HTTPRequest,
    for id: SessionID,
    respond: PendingAnswer
  ) throws(Problem) {
    let session = try session(id)
    try request.requireJSON()
    do throws(MemoryFull) {
      try session.requireMemory(forBody: request.body.count)
    } catch {
      throw Problem(error)
    }
    if let options = try InputOptions(request.headers) {
      InputExchange(self, session, options, respond: respond).begin(request)
      return
    }
    do {
      try session.submit(
        request.body,
        from: origin(of: request),
        admit: { try admitInputs($0, of: request) },
        observer: respond
      )
    } catch {
      throw problem(error, of: session)
    }
  }

  /// Where a request's Inputs come from; nil where that is of no use to anybody.
  func origin(of request: HTTPRequest) -> InputOrigin? {
    let trace = request.headers.traceContext
    guard trace != nil || host.reportsInputs else { return nil }
    return InputOrigin(request: request.id.description, trace: trace)
  }

  /// What a client is told of Inputs that could not be submitted.
  func problem(_ error: any Error, of session: Session) -> Problem {
    switch error {
    case SubmitError.queueFull: .queueFull(limit: host.limits.queuedInputs)
    case SubmitError.batchTooLong(let limit): .batchTooLong(limit: limit)
    case let error as InputRates.Exceeded: Problem(error)
    case SubmitError.asleep: .storeUnreachable
    case let error as JSONError: .malformed(error)
    case let error as InputError:
      .invalidInput(error, known: specs[session.viewModel].input.caseNames)
    default: .endedSession
    }
  }
}

/// The answer to a request that asks for nothing more than its Inputs to be processed.
extension PendingAnswer: InputObserver {
  func proceed(_ progress: SubmittedInputs.Progress, of inputs: SubmittedInputs) {
    switch progress {
    case .processed(let snapshot, let isSettled):
      self(HTTPResponse(200, json: snapshot.answer(isSettled: isSettled)))
    case .settled, .abandoned, .interrupted, .refused, .withdrawn: break
    case .ended: self(Problem.endedSession.response)
    case .rejected(let unfit, let index): self(Problem(unfit, at: index).response)
    case .failed(let error): self(Problem(error).response)
    }
  }
}
