import FusionHTTPMessages
package import FusionHTTPToolkit
import FusionSessions
import Synchronization

/// A request that one of several events answers: the event that it waits for, its timeout, or the end of its
/// session.
///
/// Only the first event answers it.
package final class HeldRequest: Sendable {
  private struct State {
    var respond: PendingResponse?
    var cleanups: [@Sendable () -> Void] = []
  }

  private let state: Mutex<State>

  package init(_ respond: PendingResponse) {
    state = Mutex(State(respond: respond))
  }

  package var isAnswered: Bool { state.withLock { $0.respond == nil } }

  /// Takes over the answering of the request; returns nil if another event has.
  package func take() -> PendingResponse? {
    let (respond, cleanups) = state.withLock { state in
      defer { state.cleanups = [] }
      return (state.respond.take(), state.cleanups)
    }
    for cleanup in cleanups { cleanup() }
    return respond
  }

  func answer(_ response: @autoclosure () -> HTTPResponse) {
    if let respond = take() { respond(response()) }
  }

  /// Holds the request for at most `seconds`; its session does not expire in that time.
  func hold(
    for seconds: Int,
    in session: Session,
    _ timeouts: Timeouts,
    timeUp: @escaping @Sendable () -> Void
  ) {
    guard !isAnswered else { return }
    session.beginUse()
    atEnd { session.endUse() }
    let timeout = timeouts.start(after: .seconds(seconds), timeUp)
    atEnd { timeouts.stop(timeout) }
  }

  /// Calls a closure once the request is answered, or at once if it already is.
  package func atEnd(_ cleanup: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      if state.respond != nil { state.cleanups.append(cleanup) }
      return state.respond == nil
    }
    if isOver { cleanup() }
  }
}
