import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions

typealias SessionRoute = Route<SessionResources>

/// The routes of the session API; each resource adds its own.
enum SessionRoutes {}

/// A handler of a request for a session that it is granted; answers once, or throws the problem to answer with.
typealias GrantHandler =
  @Sendable (
    SessionResources, Grant, PathParameters, HTTPRequest, PendingResponse
  ) throws(Problem) -> Void

/// A handler of a request for a session that is claimed; answers once, or throws the problem to answer with.
typealias ClaimHandler =
  @Sendable (
    SessionResources, Claim, PathParameters, HTTPRequest, PendingResponse
  ) throws(Problem) -> Void

/// The condition for calling an endpoint's handler, about the sender.
enum SessionRequirement: Sendable {
  /// No condition; the sender does not matter.
  case none
  /// No condition; the handler itself checks the sender.
  case anySender
  /// A sender that may have sessions.
  case sender
  /// The session that a page shows, if the request is for a page; if it cannot be woken, the page is shown
  /// without it.
  case shownSession
}

extension Endpoint where Context == SessionResources {
  /// Creates an endpoint of a resource that is not a session.
  convenience init(_ method: HTTPMethod, _ operation: Operation, _ handler: @escaping Handler) {
    self.init(method, operation, requiring: .none, handler)
  }

  /// Creates an endpoint of the session that the path names, directly or by a share.
  ///
  /// The handler gets the session, awake, with the sender's right; the session's node calls it.
  convenience init(
    _ method: HTTPMethod,
    _ operation: Operation,
    granting right: Right,
    _ handler: @escaping GrantHandler
  ) {
    self.init(method, operation, requiring: .sender) {
      api,
      path,
      request,
      respond throws(Problem) in
      // Most requests: without a closure, which would have to be allocated.
      if let id = path["id", as: SessionID.self],
        let grant = try api.access.awake(Claim(right, to: id, by: request.sender))
      {
        return try handler(api, grant, path, request, respond)
      }
      try api.access.claim(right, in: path, request, respond) { claim, respond throws(Problem) in
        try api.access.open(claim, for: request, respond) {
          grant,
          request,
          respond throws(Problem) in
          try handler(api, grant, path, request, respond)
        }
      }
    }
  }

  /// Creates an endpoint of the session that the path names, directly or by a share, whether it is awake or not.
  ///
  /// The handler gets a claim, which is checked where the session's owner is known.
  convenience init(
    _ method: HTTPMethod,
    _ operation: Operation,
    claiming right: Right,
    _ handler: @escaping ClaimHandler
  ) {
    self.init(method, operation, requiring: .sender) {
      api,
      path,
      request,
      respond throws(Problem) in
      try api.access.claim(right, in: path, request, respond) { claim, respond throws(Problem) in
        try handler(api, claim, path, request, respond)
      }
    }
  }
}
