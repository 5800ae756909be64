import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions

/// A `GET /sessions/{id}` of a client that knows a version and waits for another.
struct LongPoll: Sendable {
  let session: Session
  /// The versions that the client has.
  let known: EntityTags
  /// How many seconds it waits.
  let wait: Int
  private let held: HeldRequest

  init(
    _ session: Session,
    known: EntityTags,
    wait: Int,
    respond: PendingResponse
  ) {
    self.session = session
    self.known = known
    self.wait = wait
    held = HeldRequest(respond)
  }

  func begin(_ timeouts: Timeouts) {
    let following = session.feed.follow {
      guard hasNews else { return }
      // A version comes in the middle of a turn; whether the session is settled is known at its end.
      session.afterTurn { answer() }
    }
    held.atEnd { session.feed.unfollow(following) }
    // A change before the feed was followed woke nobody.
    if hasNews { answer() }
    held.hold(for: wait, in: session, timeouts) { answer() }
  }

  /// Whether the session has something that the client does not know.
  private var hasNews: Bool {
    let view = session.feed.current
    guard view.end == nil, !view.hasMoved, let snapshot = view.snapshot else { return true }
    return !known.contain(snapshot.tag)
  }

  private func answer() {
    guard let respond = held.take() else { return }
    respond.answer { () throws(Problem) in
      // Another node goes on with the session: the State here may be old.
      if session.feed.current.hasMoved { throw .storeUnreachable }
      var response = try session.response(200).unless(known)
      response.headers.append("Preference-Applied", "wait=\(wait)")
      respond(response)
    }
  }
}
