import FusionHTTPMessages
package import FusionHTTPToolkit
package import FusionSessions
import FusionStrictJSON
import FusionTypeShapes
import UIFusionKit

extension SessionRoutes {
  /// The route `/sessions/{id}/inputs`: a body of lines is read as it arrives.
  static let inputs = SessionRoute(
    "/sessions/{id}/inputs",
    Endpoint(
      .post,
      batches.operation,
      requiring: .sender,
      bodyLimits: { request in
        let isStream = request.headers.declareBody(of: StreamedInputs.mediaType)
        return isStream ? IncomingBody.Limits(bytes: .max, mayPause: true) : nil
      }
    ) { api, path, request, respond throws(Problem) in
      var request = request
      if request.headers[InputPart.header] != nil, !request.isFromNode {
        request.headers[InputPart.header] = nil
      }
      guard request.headers.declareBody(of: StreamedInputs.mediaType) else {
        return try batches.handler(api, path, request, respond)
      }
      try api.streamInputs(request, respond) { part, responder in
        let respond = PendingResponse(to: part, at: path, through: .none, responder)
        respond.answer { () throws(Problem) in try batches.handler(api, path, part, respond) }
      }
    }
  )

  /// The endpoint of one Input, or a batch.
  private static let batches = Endpoint<SessionResources>(
    .post,
    Operation(
      id: sendInputs,
      tag: "Sessions",
      summary: "Send one Input, or a batch of them",
      description: """
        Inputs are processed one after another. The answer comes when the last one has been processed \
        up to where it first waits; Prefer changes that. As application/x-ndjson, each line is an \
        Input, which is applied as it arrives: applied tells how many were, also in a problem, which is \
        then about the next line. With Idempotency-Key, a repetition goes on behind them.
        """,
      parameters: ["SessionPath", "Prefer", "IdempotencyKey", "IfMatch", "IfSender"],
      optionsParameters: ["AnySessionPath"],
      body: [
        "anyOf": [
          OpenAPI.schema("Input"), ["type": "array", "items": OpenAPI.schema("Input")],
        ]
      ],
      bodyLines: OpenAPI.schema("Input"),
      responses: [
        "200": OpenAPI.answer(
          "Processed.",
          ["anyOf": [OpenAPI.schema("InputResult"), OpenAPI.schema("StreamResult")]],
          headers: bodyHeaders
        ),
        "202": OpenAPI.answer(
          "Still waiting.",
          OpenAPI.schema("InputResult"),
          headers: bodyHeaders
        ),
        "204": OpenAPI.empty(
          "Processed (Prefer: return=minimal).",
          headers: headers + ["Settled"]
        ),
      ],
      problems: [400, 401, 403, 404, 410, 412, 413, 415, 422, 429, 500, 503, 507]
    ),
    granting: .send
  ) { api, grant, _, request, respond throws(Problem) in
    try api.submitInputs(request, by: grant, respond: respond)
  }

  /// The operation's id.
  static let sendInputs = "sendInputs"

  private static let headers = ["ETag", "Preference-Applied", "Idempotency-Replayed", "Sender"]

  /// The headers of an answer with a State, which is compressed if it is large.
  private static let bodyHeaders = headers + ["Vary", "Content-Encoding"]
}

extension SessionResources {
  /// Submits the body's Inputs to a session; answers when the last one is processed, unless the headers
  /// request another time.
  func submitInputs(
    _ request: HTTPRequest,
    by grant: Grant,
    respond: PendingResponse
  ) throws(Problem) {
    let session = grant.session
    try request.requireJSON()
    do throws(MemoryFull) {
      try session.requireMemory(forBody: request.body.count)
    } catch {
      throw Problem(error)
    }
    if let options = try InputOptions(request.headers) {
      return InputExchange(self, grant, options, respond: respond).begin(request)
    }
    do {
      try session.submit(
        request.body,
        from: origin(of: request, by: grant),
        permit: grant.permit,
        admit: { [admission] in try admission.admit($0, of: request) },
        observer: respond
      )
    } catch {
      throw problem(error, of: session)
    }
  }

  /// Returns the origin of a request's Inputs; nil if nothing uses it.
  func origin(of request: HTTPRequest, by grant: Grant) -> InputOrigin? {
    let (trace, sender) = (request.headers.traceContext, request.sender)
    let (isForeign, isUnderRules) = (grant.isForeign, grant.isUnderRules)
    guard
      isForeign || isUnderRules || trace != nil || sender?.identity != nil || sender?.session != nil
        || host.reportsInputs
    else { return nil }
    return InputOrigin(
      request: request.id.description,
      trace: trace,
      sender: sender?.person,
      session: sender?.session,
      isForeign: isForeign,
      isUnderRules: isUnderRules
    )
  }

  /// Returns the problem for Inputs that could not be submitted.
  func problem(_ error: any Error, of session: Session) -> Problem {
    switch error {
    case let problem as Problem: problem
    case SubmitError.queueFull: .queueFull.limited(to: host.limits.queuedInputs)
    case SubmitError.batchTooLong(let limit): .batchTooLong.limited(to: limit)
    case SubmitError.asleep: .storeUnreachable
    case let error as JSONError: .malformedJSON.filled(with: "\(error)")
    case let error as InputError:
      error.problem(known: specs[session.viewModel].input.caseNames)
    default: .endedSession
    }
  }
}

/// A request without options observes its Inputs itself.
extension PendingResponse: InputObserver {
  package func didProgress(to progress: SubmittedInputs.Progress, of inputs: SubmittedInputs) {
    switch progress {
    case .processed(let snapshot, let isSettled):
      guard snapshot.takesLong(isCompressed: false) else { return answer(snapshot, isSettled) }
      Task.detached(executorPreference: inputs.pool) { [self] in answer(snapshot, isSettled) }
    case .settled, .abandoned, .interrupted, .refused, .withdrawn: break
    case .ended: self(Problem.endedSession.response)
    case .rejected(let rejection, let index): self(Problem(rejection, at: index).response)
    case .failed(let error): self(Problem(error).response)
    }
  }

  private func answer(_ snapshot: Snapshot, _ isSettled: Bool) {
    self(HTTPResponse(200, json: snapshot.answer(isSettled: isSettled)))
  }
}
