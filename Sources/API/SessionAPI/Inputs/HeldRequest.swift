import FusionHTTPMessages
import FusionSessions
import Synchronization

/// A request that may be answered from several sides: by what it waits for, by its time being up, by
/// the end of its session.
///
/// Whoever comes first answers; the others find that it is done.
final class HeldRequest: Sendable {
  private struct State {
    var respond: PendingAnswer?
    var cleanups: [@Sendable () -> Void] = []
  }

  private let state: Mutex<State>

  init(_ respond: PendingAnswer) {
    state = Mutex(State(respond: respond))
  }

  var isAnswered: Bool { state.withLock { $0.respond == nil } }

  /// Takes over the duty to answer; nil where somebody has it already.
  func take() -> PendingAnswer? {
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

  /// Holds it for so many seconds at the most; meanwhile its session does not expire.
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

  /// Called once somebody answers, or now if somebody has.
  func atEnd(_ cleanup: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      if state.respond != nil { state.cleanups.append(cleanup) }
      return state.respond == nil
    }
    if isOver { cleanup() }
  }
}
