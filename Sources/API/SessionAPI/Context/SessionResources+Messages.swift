import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions
import FusionStrictJSON
import UIFusionKit

extension SessionResources {
  /// Sends a message's Input to its receiver, whichever node owns it, with a key that is applied only once.
  func deliver(_ envelope: Envelope) async -> Delivery {
    let id: SessionID
    switch await find(envelope.message.address, for: envelope.identity) {
    case .success(let found?): id = found
    case .success(nil): return .refused
    case .failure: return .failed
    }
    var request = HTTPRequest(
      .post,
      RequestTarget(segments: ["sessions", "\(id)", "inputs"]),
      headers: [
        "Content-Type": "application/json", "Idempotency-Key": envelope.key,
        "Prefer": "return=minimal",
      ],
      body: envelope.message.input
    )
    request.sender = RequestSender(session: "\(envelope.sender)", of: envelope.identity)
    return Delivery(await awaitResponse(to: request, from: answerProgram))
  }

  /// Finds the session id of an address, for a sending session of an identity; nil if there is none.
  func find(
    _ address: SessionAddress,
    for identity: String?
  ) async -> Result<SessionID?, StoreError> {
    switch address.form {
    // A share's id is not an address: its keys would be those of the session's id.
    case .id(let id): return .success(SessionID(id))
    case .named(let text, let viewModel, let isShared):
      let identity = isShared ? nil : identity
      guard let name = SessionName(text, of: viewModel, for: identity) else { return .success(nil) }
      return await withCheckedContinuation { done in
        host.find(name) { done.resume(returning: $0) }
      }
    }
  }
}

extension Delivery {
  /// Interprets a response: it is a failure, to be retried, if another build, time or node may answer
  /// differently.
  fileprivate init(_ response: HTTPResponse) {
    switch response.status {
    case 200..<300: self = .delivered
    // A State that the current build cannot decode.
    case 410 where response.problemName == Problem.unreadableSession.name: self = .failed
    // A node whose build does not support messages does not know their sender.
    case 401, 408, 429: self = .failed
    // The receiver has too many waiting messages of its own.
    case 422 where response.problemName == Problem.tooManyAlarms.name: self = .failed
    case 400..<500: self = .refused
    case 500:
      let isUndone = [Problem.stateNotWritable, .alarmNotWritable].contains {
        response.problemName == $0.name
      }
      self = isUndone ? .refused : .failed
    default: self = .failed
    }
  }
}

extension HTTPResponse {
  /// The name of the problem, even if it comes from another node; nil if the response is not a problem.
  fileprivate var problemName: String? {
    switch body {
    case .problem(let problem): problem.name
    case .bytes(let bytes):
      (try? JSONDocument(bytes).root["type"]?.string?.split(separator: "/").last).map { "\($0)" }
    default: nil
    }
  }
}
