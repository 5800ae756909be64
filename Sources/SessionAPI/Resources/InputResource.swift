import HTTPMessages
import Sessions
import StrictJSON

/// `/sessions/{id}/inputs`.
extension SessionAPI {
  /// Hands the body's Inputs to the session, and answers when the last one has been taken up.
  func takeInputs(
    _ request: HTTPRequest,
    for id: SessionID,
    respond: @escaping @Sendable (HTTPResponse) -> Void
  ) throws(Problem) {
    let session = try session(id)
    try request.requireJSON()
    do {
      try session.submit(request.body) { progress in
        switch progress {
        case .taken(let snapshot, let isSettled):
          respond(HTTPResponse(200, json: snapshot.answer(isSettled: isSettled)))
        case .settled, .abandoned, .refused: break
        case .ended: respond(Problem.endedSession.response)
        }
      }
    } catch Session.Refusal.queueFull {
      throw .queueFull
    } catch let error as JSONError {
      throw .malformed(error)
    } catch let error as InputError {
      throw .invalidInput(error)
    } catch {
      throw .endedSession
    }
  }
}
