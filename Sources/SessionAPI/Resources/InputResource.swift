import HTTPMessages
import Sessions
import StrictJSON
import TypeShapes

/// `/sessions/{id}/inputs`.
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
    if let options = try InputOptions(request.headers) {
      InputExchange(self, session, options, respond: respond).begin(request)
      return
    }
    do {
      try session.submit(request.body) { progress, _ in
        switch progress {
        case .processed(let snapshot, let isSettled):
          respond(HTTPResponse(200, json: snapshot.answer(isSettled: isSettled)))
        case .settled, .abandoned, .interrupted, .refused, .withdrawn: break
        case .ended: respond(Problem.endedSession.response)
        case .rejected(let unfit, let index): respond(Problem(unfit, at: index).response)
        case .failed(let error): respond(Problem(error).response)
        }
      }
    } catch {
      throw problem(error, of: session)
    }
  }

  /// What a client is told of Inputs that could not be submitted.
  func problem(_ error: any Error, of session: Session) -> Problem {
    switch error {
    case SubmitError.queueFull: .queueFull
    case SubmitError.batchTooLong(let limit): .batchTooLong(limit: limit)
    case SubmitError.asleep: .storeUnreachable
    case let error as JSONError: .malformed(error)
    case let error as InputError:
      .invalidInput(error, known: specs[session.viewModel].input.caseNames)
    default: .endedSession
    }
  }
}
