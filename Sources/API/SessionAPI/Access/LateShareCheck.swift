import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions
import Synchronization

/// Requests by shares: the path or the query has a share's id in place of a session's.
///
/// Each request asks the store, so that a share that was revoked on one node is invalid on all. The responses
/// name the share, never the session.
extension SessionResources {
  /// Answers a request whose path names a share, with an endpoint that requires a role; nil means that the
  /// endpoint accepts no shares.
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
        guard let share = try Problem.unwrap(result).first else { throw .unknownSession }
        guard let role, share.role >= role else { throw .shareForbids }
        let path = path.replacing("id", by: share.session.description)
        let check = LateShareCheck(host, share, respond)
        let respond = PendingResponse(to: request, at: path, through: .none, check)
        respond.answer { () throws(Problem) in
          try SessionResources(self, by: share).answer(request, at: path, with: endpoint, respond)
        }
        check.begin()
      }
    }
  }

  /// Continues with a request that has waited, unless its share has been revoked or has expired.
  func whileShareStands(
    _ respond: PendingResponse,
    _ goOn: @escaping @Sendable () throws(Problem) -> Void
  ) {
    guard let share else { return respond.answer(goOn) }
    host.shares(.ids([share.id])) { result in
      respond.answer { () throws(Problem) in
        guard try !Problem.unwrap(result).isEmpty else { throw .unknownSession }
        try goOn()
      }
    }
  }

  /// Ends the streams of shares that have expired, or were revoked on any node.
  func endStreamsOfLostShares() {
    var rest = Array(streams.shares)[...]
    while !rest.isEmpty {
      let asked = Set(rest.prefix(sharesAtOnce))
      rest = rest.dropFirst(sharesAtOnce)
      host.shares(.ids(Array(asked))) { [self] result in
        // Shares expire even if the store does not answer.
        let standing = try? result.map { Set($0.map(\.id)) }.get()
        streams.endShares { [now = host.now] share in
          guard asked.contains(share.id) else { return nil }
          if !share.isValid(at: now) { return .expired }
          return standing?.contains(share.id) == false ? .deleted : nil
        }
      }
    }
  }
}

/// The maximum number of shares to ask the store for at once, so that commits need not wait long.
private let sharesAtOnce = 256

extension Problem {
  /// Returns the store's result, or throws the problem of its error.
  static func unwrap<Found>(_ result: Result<Found, StoreError>) throws(Problem) -> Found {
    do { return try result.get() } catch { throw Problem(error) }
  }
}

/// A responder that asks again for the share of a request that is not answered at once, whatever it waited for:
/// answers that the share does not exist if it has become invalid.
///
/// A stream has checks of its own.
private final class LateShareCheck: HTTPResponder {
  private let isLate = Atomic(false)
  private let host: SessionHost
  private let share: StoredShare
  private let respond: PendingResponse

  init(_ host: SessionHost, _ share: StoredShare, _ respond: PendingResponse) {
    self.host = host
    self.share = share
    self.respond = respond
  }

  /// Marks an answer from here on as late.
  func begin() { isLate.store(true, ordering: .relaxed) }

  func whenClientLeaves(_ act: @escaping @Sendable () -> Void) { respond.whenClientLeaves(act) }

  func callAsFunction(_ response: consuming HTTPResponse) {
    guard isLate.load(ordering: .relaxed) else { return respond(response) }
    if case .stream = response.body { return respond(response) }
    host.shares(.ids([share.id])) { [respond, response] result in
      respond.answer { () throws(Problem) in
        guard try !Problem.unwrap(result).isEmpty else { throw .unknownSession }
        respond(response)
      }
    }
  }
}
