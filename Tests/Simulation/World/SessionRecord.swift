import FusionSessions

/// A session as clients know it.
final class SessionRecord: @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  let id: SessionID
  let model: ModelKind
  /// The newest version that was shown.
  var seen = 0
  var isOver = false
  /// Whether an answer reported the session as unknown, because by the calendar it ended long ago.
  var isForgotten = false
  /// The versions at which the session was read from the store; earlier ones may never have been shown.
  var restoredVersions: [Int] = []
  /// The past from which the session was forked or recovered, or nil.
  var origin: Origin?
  /// Whether work was dropped that State may still expect.
  var isCutOff = false
  var isTakenBack = false
  /// The number of open streams of the session.
  var streams = 0
  /// The last use of the session.
  private(set) var use: Use?

  struct Use {
    /// The number of the process.
    let process: Int
    /// The scheduler's time.
    let time: Duration
  }

  /// The process that decided to expire the session, and the time of the decision.
  var expiry: (process: Int, time: Duration)?

  init(_ id: SessionID, model: ModelKind) {
    self.id = id
    self.model = model
  }

  var path: String { "/sessions/\(id)" }

  /// Returns a State with all messages that the session has sent and received.
  func whole(_ state: ShownState) -> ShownState { origin?.whole(state) ?? state }

  func used(in process: Int, at time: Duration) {
    use = Use(process: process, time: time)
  }
}
