import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions
import Synchronization

/// How often a request was sent to the node that should have its session, and for how long it goes on.
///
/// Whoever answers is looked for anew after each failure: a node that dies keeps its sessions until its
/// lease has run out, which others wait for.
final class ForwardingRetry: Sendable {
  /// From the first failure on; longer than any lease.
  private static let patience = Duration.seconds(5)

  private struct State {
    var failures = 0
    var deadline = Duration.zero
    var isInDoubt = false
    /// Until when its client waits for what it has asked to wait for.
    var waitEnd: Duration?
  }

  private let state = Mutex(State())

  /// Whether a node may have done what the request asks for.
  var isInDoubt: Bool { state.withLock { $0.isInDoubt } }

  /// The request, with what is left of the wait that its client prefers: that goes on while its node is looked
  /// for.
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
    // Of a preference that is given twice the first counts.
    request.headers["Prefer"] = "wait=\(left), \(request.headers.list("Prefer") ?? "")"
    return request
  }

  /// It has failed once more; how long to wait before it sets off again, nil where it shall not.
  func pause(after error: ForwardingError, of id: SessionID, now: Duration) -> Duration? {
    state.withLock { state in
      if case .noAnswer = error { state.isInDoubt = true }
      if state.failures == 0 { state.deadline = now + Self.patience }
      guard now < state.deadline else { return nil }
      state.failures += 1
      return Backoff.pause(after: state.failures, of: id)
    }
  }
}
