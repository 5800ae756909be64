import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessionAPI
import FusionSessions
import Synchronization

/// The attempts to have a request answered by the node that has its session.
///
/// After each failure the session's node is looked for again. A node that has died keeps its sessions until its lease
/// has expired, so attempts go on for longer than that.
final class ForwardingRetry: Sendable {
  /// The time for which attempts go on after the first failure: longer than any lease.
  private static let timeout = Duration.seconds(5)

  private struct State {
    var failures = 0
    var deadline = Duration.zero
    var isInDoubt = false
    /// The end of the wait that the client prefers.
    var waitEnd: Duration?
  }

  private let state = Mutex(State())
  /// The session that the request is for.
  let id: SessionID
  /// Looks for the session again; by now it may be on this node.
  let again: @Sendable (SessionRequest, ForwardingRetry) -> Void

  init(for id: SessionID, again: @escaping @Sendable (SessionRequest, ForwardingRetry) -> Void) {
    (self.id, self.again) = (id, again)
  }

  /// Whether a node may have done what the request asks for.
  var isInDoubt: Bool { state.withLock { $0.isInDoubt } }

  /// Returns the request with the rest of the wait that its client prefers.
  func leftOver(of request: HTTPRequest, now: Duration) -> HTTPRequest {
    guard let wait = Preferences(request.headers).wait else { return request }
    let end = state.withLock { state in
      let end = state.waitEnd ?? now + .seconds(wait)
      state.waitEnd = end
      return end
    }
    let left = Int((max(.zero, end - now) / .seconds(1)).rounded(.up))
    guard left < wait else { return request }
    var request = request
    // The first of two preferences of one name counts (RFC 7240 §2).
    request.headers["Prefer"] = "wait=\(left), \(request.headers.list("Prefer") ?? "")"
    return request
  }

  /// Notes a failure; returns the pause before the next attempt, nil to give up.
  func pause(after error: ForwardingError, now: Duration) -> Duration? {
    state.withLock { state in
      if case .noAnswer = error { state.isInDoubt = true }
      if state.failures == 0 { state.deadline = now + Self.timeout }
      guard now < state.deadline else { return nil }
      state.failures += 1
      return Backoff.pause(after: state.failures, of: id)
    }
  }
}
