import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions
import FusionStrictJSON
import UIFusionKit

extension SessionResources {
  /// Sends a message's Input to its receiver, wherever that is, under a key that is applied once.
  func handOver(_ envelope: Envelope) async -> Delivery {
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

  /// Finds the id of an address that a session of an identity gives; nil where there is none.
  func find(
    _ address: SessionAddress,
    for identity: String?
  ) async -> Result<SessionID?, StoreError> {
    switch address.form {
    // A share is no address: its keys would be those of the session's id.
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
  /// Reads an answer: what another program, another time or another node may answer otherwise is tried again.
  fileprivate init(_ response: HTTPResponse) {
    switch response.status {
    case 200..<300: self = .delivered
    // A State that today's program cannot read.
    case 410 where response.problemName == Problem.unreadableSession.name: self = .failed
    // A node of a build without messages does not know their sender.
    case 401, 408, 429: self = .failed
    // The receiver has messages of its own that wait.
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
  /// The name of the problem, be it another node's; nil where there is none.
  fileprivate var problemName: String? {
    switch body {
    case .problem(let problem): problem.name
    case .bytes(let bytes):
      (try? JSONDocument(bytes).root["type"]?.string?.split(separator: "/").last).map { "\($0)" }
    default: nil
    }
  }
}
