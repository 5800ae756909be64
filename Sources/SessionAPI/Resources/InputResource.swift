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
    respond: @escaping @Sendable (HTTPResponse) -> Void
  ) throws(Problem) {
    let session = try session(id)
    try request.requireJSON()
    if let options = try InputOptions(request.headers) {
      InputExchange(self, session, options, respond: respond).begin(request)
      return
    }
    try session.submit(request.body, specs) { progress, _ in
      switch progress {
      case .processed(let snapshot, let isSettled):
        respond(HTTPResponse(200, json: snapshot.answer(isSettled: isSettled)))
      case .settled, .abandoned, .interrupted, .refused, .withdrawn: break
      case .ended: respond(Problem.endedSession.response)
      case .failed(let error): respond(Problem(error).response)
      }
    }
  }
}

extension Session {
  /// Submits Inputs; what is wrong is thrown as a client is told it.
  @discardableResult
  func submit(
    _ body: [UInt8],
    _ specs: ViewModelSpecs,
    key: RequestKey? = nil,
    if condition: (@Sendable (_ version: Int) -> Bool)? = nil,
    answer: KeyProgress.Answer = .full,
    observer: @escaping SubmittedInputs.Observer
  ) throws(Problem) -> Submission {
    do {
      return try submit(body, key: key, if: condition, answer: answer, observer: observer)
    } catch SubmitError.queueFull {
      throw .queueFull
    } catch SubmitError.asleep {
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
