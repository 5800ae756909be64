import HTTPMessages
import Sessions
import StrictJSON
import TypeShapes

/// `/sessions/{id}/inputs`.
extension SessionAPI {
  /// Hands the body's Inputs to the session, and answers when the last one has been taken up, or when
  /// else the headers say.
  func takeInputs(
    _ request: HTTPRequest,
    for id: SessionID,
    respond: @escaping @Sendable (HTTPResponse) -> Void
  ) throws(Problem) {
    let session = try session(id)
    try request.requireJSON()
    if let options = try InputOptions(request.headers) {
      InputExchange(self, session, options, request, respond: respond).begin(request)
      return
    }
    try session.take(request.body, specs) { progress in
      switch progress {
      case .taken(let snapshot, let isSettled):
        respond(HTTPResponse(200, json: snapshot.answer(isSettled: isSettled)))
      case .settled, .abandoned, .interrupted, .refused: break
      case .ended: respond(Problem.endedSession.response)
      case .failed(let error): respond(Problem(error).response)
      }
    }
  }
}

extension Session {
  /// ``submit(_:if:keyed:progress:)``, with what is wrong as a client is told it.
  func take(
    _ body: [UInt8],
    _ specs: ViewModelSpecs,
    if condition: (@Sendable (_ version: Int) -> Bool)? = nil,
    keyed: KeyedInputs? = nil,
    progress: @escaping @Sendable (Progress) -> Void
  ) throws(Problem) {
    do {
      try submit(body, if: condition, keyed: keyed, progress: progress)
    } catch Refusal.queueFull {
      throw .queueFull
    } catch Refusal.asleep {
      throw .storeUnreachable
    } catch let error as JSONError {
      throw .malformed(error)
    } catch let error as InputError {
      throw .invalidInput(error, known: specs[viewModel].input.caseNames)
    } catch {
      throw .endedSession
    }
  }
}
