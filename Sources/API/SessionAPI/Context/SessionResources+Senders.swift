import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions

/// The senders of requests: who they are, and what they may use.
///
/// A session that belongs to another identity is unknown to them. Where a session is here, ``session(_:for:)`` and
/// ``SessionHost/delete(_:mayUse:_:)`` see to that; where it is elsewhere, its node does, by the identity that the request
/// carries there; and for streams, ``follow(_:for:from:_:)``.
extension SessionResources {
  /// Returns whether the answer to a request depends on who sends the request.
  func dependOnSender(_ request: HTTPRequest, _ match: RouteMatch<SessionResources>?) -> Bool {
    match?.route.endpoints.contains { endpoint in
      switch endpoint.requirement {
      case .none: false
      case .anySender, .sender, .sessionID, .sessionInPath: true
      case .shownSession: shownSession(by: request.target) != nil
      }
    } ?? false
  }

  /// Returns the sender that was found; nil where the answer depends on none, and none was found.
  ///
  /// An unknown token is refused where it is to open a session; elsewhere it may be the program's own. Who has logged out
  /// is nobody where nobody may have sessions, too, unless the request is to be somebody's.
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
    match?.route.endpoints.contains(where: \.requirement.needsSender) == true
  }

  /// Throws 412 where a request for a session is to be somebody else's than its sender's (`If-Sender`), and 401 where it has
  /// no sender.
  func requireWantedSender(
    of request: HTTPRequest,
    _ match: RouteMatch<SessionResources>?
  ) throws(Problem) {
    let endpoint = match?.route.endpoint(for: request.method)
    guard let wanted = request.headers["If-Sender"], endpoint?.requirement.needsSender == true
    else { return }
    guard let identity = request.sender?.identity else { throw .unauthenticated }
    let its = mark(identity)
    guard its == wanted else { throw .otherSender.with("Sender", its) }
  }

  /// Returns the pending response to a request of a known sender, which says who that is, and is refused to one whose
  /// login ends while the request waits.
  func pending(
    _ respond: PendingResponse,
    to request: inout HTTPRequest,
    _ match: RouteMatch<SessionResources>?
  ) -> PendingResponse {
    guard let sender = request.sender, let identity = sender.identity, opensSession(match) else {
      return respond.from(request.sender)
    }
    var login: (any SenderLogin)?
    if [.get, .head].contains(request.method), let wait = Preferences(request.headers).wait {
      login = sender.login
      if let left = login?.secondsLeft, left < Double(wait) {
        // Of two the first counts; the others stay.
        let others = request.headers.list("Prefer") ?? ""
        request.headers["Prefer"] = "wait=\(Int(max(0, left.rounded(.up)))), \(others)"
      }
    }
    return respond.from(sender).mapping { [login, mark = mark(identity)] response in
      if login?.stands == false { return Problem.unauthenticated.response }
      var response = response
      response.headers.append("Sender", mark)
      return response
    }
  }

  /// Returns the text by which a client can tell whether it is still the same sender's; it says nothing else.
  ///
  /// The first eight digits are of all senders, and others once the service has another secret: after a restart without a
  /// folder, no mark says any more who somebody was.
  private func mark(_ identity: String) -> String {
    opaqueText(for: "senders").prefix(8) + opaqueText(for: "sender \(identity)")
  }

  /// Throws 401 where the sender of a request may not have sessions.
  func requireSender(of request: HTTPRequest) throws(Problem) {
    guard allowsAnonymous || request.sender != nil else { throw .unauthenticated }
  }

  /// Finds what a stream is to show, as ``SessionLocator/follow(_:_:)`` does: each session by itself, or by a
  /// share.
  func follow(
    _ sessions: [(id: SessionID, share: StoredShare?)],
    for sender: RequestSender?,
    from position: StreamPosition,
    _ done: @escaping @Sendable ([FollowedSession]) -> Void
  ) {
    let isForbidden = sessions.map { named in
      named.share == nil && host.isForbidden(named.id, by: sender.mayUse)
    }
    let seen = zip(sessions, isForbidden).filter { !$1 }.map { named, _ in
      let shown = named.share?.id.description ?? named.id.description
      return (id: named.id, seen: position.version(of: shown) ?? 0)
    }
    locator.follow(seen) { [self] found in
      var rest = found[...]
      done(
        zip(sessions, isForbidden).map { named, isForbidden in
          guard !isForbidden, let session = rest.popFirst() else { return .unknown }
          guard case .found(let source) = session else { return session }
          if let share = named.share {
            return .found(SharedSource(visited(source, by: sender, with: share), share))
          }
          return sender.mayUse(source.identity) ? .found(visited(source, by: sender)) : .unknown
        }
      )
    }
  }
}
