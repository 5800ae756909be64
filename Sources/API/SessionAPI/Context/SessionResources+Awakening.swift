import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions
import UIFusionKit

extension SessionResources {
  /// Answers a request with an endpoint, after waking the session that the endpoint requires.
  func answer(
    _ request: HTTPRequest,
    at path: PathParameters,
    with endpoint: Endpoint<SessionResources>,
    _ respond: PendingResponse
  ) throws(Problem) {
    switch endpoint.requirement {
    case .none, .anySender: break
    case .sender: try requireSender(of: request)
    case .sessionID(let role):
      try requireSender(of: request)
      guard path["id", as: SessionID.self] != nil else {
        return try answerShared(request, at: path, with: endpoint, for: role, respond)
      }
    case .sessionInPath(let role):
      try requireSender(of: request)
      guard let id = path["id", as: SessionID.self] else {
        return try answerShared(request, at: path, with: endpoint, for: role, respond)
      }
      guard host.isAsleep(id) else { break }
      guard share != nil || !host.isForbidden(id, by: request.sender.mayUse) else {
        throw .unknownSession
      }
      return awaken(id, for: request, respond) { request, respond throws(Problem) in
        try endpoint.handler(self, path, request, respond)
      }
    case .shownSession:
      guard let id = shownSession(by: request.target), host.isAsleep(id),
        (try? requireSender(of: request)) != nil,
        !host.isForbidden(id, by: request.sender.mayUse)
      else { break }
      // Without the locator: the page's files are this node's, wherever the session is.
      return host.wake([id]) { _ in
        respond.answer { () throws(Problem) in
          try endpoint.handler(self, path, request, respond)
        }
      }
    }
    try endpoint.handler(self, path, request, respond)
  }

  /// Calls a handler after waking a session on this node; answers with a problem if it cannot be woken.
  ///
  /// If another node owns the session, that node answers.
  func awaken(
    _ id: SessionID,
    for request: HTTPRequest,
    _ respond: PendingResponse,
    _ handler: @escaping @Sendable (HTTPRequest, PendingResponse) throws(Problem) -> Void
  ) {
    locator.locate([id], for: sessionRequest(request, respond)) { request, failure in
      request.respond.answer { () throws(Problem) in
        if let failure { throw Problem(failure) }
        try handler(request.http, request.respond)
      }
    }
  }

  /// Returns a request in the form that the locator accepts.
  func sessionRequest(_ request: HTTPRequest, _ respond: PendingResponse) -> SessionRequest {
    guard inputRates != nil else {
      return SessionRequest(http: request, respond: respond, admitInputs: nil)
    }
    return SessionRequest(http: request, respond: respond) { [self] count throws(Problem) in
      try admitInputs(count, of: request)
    }
  }

  /// Counts Inputs towards the rate limit of a request's client; throws if the client sends too fast.
  ///
  /// The node that receives the client's request counts them, whichever node owns the session.
  func admitInputs(_ count: Int, of request: HTTPRequest) throws(Problem) {
    guard let inputRates, let client = request.connection.client else { return }
    do throws(ClientRates.Exceeded) {
      try inputRates.take(count, for: client, now: host.dependencies.time.now)
    } catch {
      let seconds = max(1, Int((error.wait / .seconds(1)).rounded(.up)))
      throw .tooManyClientInputs.limited(to: error.limit).with("Retry-After", "\(seconds)")
    }
  }

  /// Returns an awake session that the sender of a request may use; throws if there is none.
  func session(_ id: SessionID, for request: HTTPRequest) throws(Problem) -> Session {
    try requireSender(of: request)
    switch host.find(id) {
    case .live(let session):
      guard share.map({ $0.session == id }) ?? request.sender.mayUse(session.identity) else {
        throw .unknownSession
      }
      return session
    case .ended: throw .endedSession
    // The session fell asleep again after it was woken, because its store failed.
    case .asleep: throw .storeUnreachable
    case .unknown: throw .unknownSession
    }
  }

  /// Returns the session in the `session` parameter of a page's address; nil if the request is not for a
  /// page.
  func shownSession(by target: RequestTarget) -> SessionID? {
    guard let id = target.first("session"), files[target.path]?.head != nil else { return nil }
    return SessionID(id)
  }
}
