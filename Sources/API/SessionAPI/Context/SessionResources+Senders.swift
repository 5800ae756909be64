import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions

/// The senders of requests; which sessions they may use, ``SessionAccess`` decides.
extension SessionResources {
  /// Returns whether the response to a request depends on its sender.
  func dependOnSender(_ request: HTTPRequest, _ match: RouteMatch<SessionResources>?) -> Bool {
    match?.route.endpoints.contains { endpoint in
      switch endpoint.requirement {
      case .none: false
      case .anySender, .sender: true
      case .shownSession: showsSession(request.target)
      }
    } ?? false
  }

  /// Returns the authenticated sender, or nil for an anonymous one; throws the problem of an authentication
  /// that failed.
  ///
  /// A failure does not matter if the response does not depend on the sender. An invalid token is refused
  /// only on routes that may require a sender; elsewhere it may be meant for the program. A logged-out sender
  /// counts as anonymous on all other routes, and, if anonymous senders may have sessions, in requests
  /// without `If-Sender`.
  func sender(
    _ found: Result<RequestSender?, Problem>,
    of request: HTTPRequest,
    _ match: RouteMatch<SessionResources>?
  ) throws(Problem) -> RequestSender? {
    do throws(Problem) {
      return try found.get()
    } catch {
      guard dependOnSender(request, match) else { return nil }
      switch error.name {
      case Problem.invalidToken.name where !opensSession(match): return nil
      case Problem.loggedOut.name where !opensSession(match): return nil
      case Problem.loggedOut.name where allowsAnonymous && request.headers["If-Sender"] == nil:
        return nil
      default: throw error
      }
    }
  }

  private func opensSession(_ match: RouteMatch<SessionResources>?) -> Bool {
    match?.route.endpoints.contains { $0.requirement == .sender } == true
  }

  /// Throws 412 if a request for a session names another sender (`If-Sender`), and 401 if it names one but is
  /// anonymous.
  func requireWantedSender(
    of request: HTTPRequest,
    _ match: RouteMatch<SessionResources>?
  ) throws(Problem) {
    let endpoint = match?.route.endpoint(for: request.method)
    guard let wanted = request.headers["If-Sender"], endpoint?.requirement == .sender
    else { return }
    guard let identity = request.sender?.identity else { throw .unauthenticated }
    let tag = senderTag(of: identity)
    guard tag == wanted else { throw .otherSender.with("Sender", tag) }
  }

  /// Returns a pending response to a request of a known sender: it names the sender, and becomes a refusal if
  /// the sender's login ends while the request waits.
  ///
  /// Caches that others share do not keep it.
  func pending(
    _ respond: PendingResponse,
    to request: inout HTTPRequest,
    _ match: RouteMatch<SessionResources>?
  ) -> PendingResponse {
    guard opensSession(match) else { return respond.from(request.sender) }
    var respond = respond
    if [.get, .head].contains(request.method) {
      respond = respond.mapping { response in
        var response = response
        response.headers.keepPrivate()
        return response
      }
    }
    guard let sender = request.sender, let identity = sender.identity else {
      return respond.from(request.sender)
    }
    let login = sender.login
    if let left = login?.secondsLeft, let wait = Preferences(request.headers).wait,
      left < Double(wait)
    {
      // The first preference counts; the others are kept.
      let others = request.headers.list("Prefer") ?? ""
      request.headers["Prefer"] = "wait=\(Int(max(0, left.rounded(.up)))), \(others)"
    }
    return respond.from(sender).mapping { [login, tag = senderTag(of: identity)] response in
      if login?.stands == false { return Problem.unauthenticated.response }
      var response = response
      response.headers.append("Sender", tag)
      return response
    }
  }

  /// Returns a text by which a client can tell whether it still has the same sender; it reveals nothing else.
  ///
  /// The first eight digits are the same for all senders, and change with the service's secret. If they
  /// change, as after a restart without a folder, older tags no longer identify anyone.
  private func senderTag(of identity: String) -> String {
    bodyDigest.opaqueText(for: "senders").prefix(8)
      + bodyDigest.opaqueText(for: "sender \(identity)")
  }

  /// Throws 401 if the sender of a request may not have sessions.
  func requireSender(of request: HTTPRequest) throws(Problem) {
    guard allowsAnonymous || request.sender != nil else { throw .unauthenticated }
  }
}
