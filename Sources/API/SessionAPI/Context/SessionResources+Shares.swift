import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions

/// Requests by shares: the path or the query has a share's id in the place of a session's.
///
/// The store is asked at each, so that a share which was revoked on one node is good for nothing on any. The answers name
/// the share and never the session.
extension SessionResources {
  /// Answers a request whose path names a share, with an endpoint for which a role is needed; no share will do where
  /// that is nil.
  func answerShared(
    _ request: HTTPRequest,
    at path: PathParameters,
    with endpoint: Endpoint<SessionResources>,
    for role: ShareRole?,
    _ respond: PendingResponse
  ) throws(Problem) {
    guard let id = path["id", as: ShareID.self] else { throw .unknownSession }
    host.shares(.ids([id])) { [self] result in
      respond.answer { () throws(Problem) in
        guard let share = try Problem.of(result).first else { throw .unknownSession }
        guard let role, share.role >= role else { throw .shareForbids }
        let path = path.replacing("id", by: share.session.description)
        var respond = respond
        if request.method != .post, Preferences(request.headers).wait != nil {
          let check = LateShareCheck(host, share, respond)
          respond = PendingResponse(to: request, at: path, through: .none, check)
        }
        try SessionResources(self, by: share).answer(request, at: path, with: endpoint, respond)
      }
    }
  }

  /// Goes on with a request that has waited, unless the share by which it has come is gone by now.
  func whileShareStands(
    _ respond: PendingResponse,
    _ goOn: @escaping @Sendable () throws(Problem) -> Void
  ) {
    guard let share else { return respond.answer(goOn) }
    host.shares(.ids([share.id])) { result in
      respond.answer { () throws(Problem) in
        guard try !Problem.of(result).isEmpty else { throw .unknownSession }
        try goOn()
      }
    }
  }

  /// Ends the streams of shares that were revoked, on whichever node, or have expired.
  func endStreamsOfLostShares() {
    var rest = Array(streams.shares)[...]
    while !rest.isEmpty {
      let asked = Set(rest.prefix(sharesAtOnce))
      rest = rest.dropFirst(sharesAtOnce)
      host.shares(.ids(Array(asked))) { [self] result in
        // Time goes on where the store does not answer.
        let standing = try? result.map { Set($0.map(\.id)) }.get()
        streams.endShares { [now = host.now] share in
          guard asked.contains(share.id) else { return nil }
          if !share.stands(at: now) { return .expired }
          return standing?.contains(share.id) == false ? .deleted : nil
        }
      }
    }
  }
}

/// The most shares that the store is asked for at once: others want to commit, too.
private let sharesAtOnce = 256

extension Problem {
  /// Returns what the store has found, or throws why it could not look.
  static func of<Found>(_ result: Result<Found, StoreError>) throws(Problem) -> Found {
    do { return try result.get() } catch { throw Problem(error) }
  }
}

/// A responder to a request that has waited: answers as if the share had never been where it is gone by now.
private final class LateShareCheck: HTTPResponder {
  private let host: SessionHost
  private let share: StoredShare
  private let respond: PendingResponse

  init(_ host: SessionHost, _ share: StoredShare, _ respond: PendingResponse) {
    self.host = host
    self.share = share
    self.respond = respond
  }

  func callAsFunction(_ response: consuming HTTPResponse) {
    host.shares(.ids([share.id])) { [respond, response] result in
      respond.answer { () throws(Problem) in
        guard try !Problem.of(result).isEmpty else { throw .unknownSession }
        respond(response)
      }
    }
  }
}
