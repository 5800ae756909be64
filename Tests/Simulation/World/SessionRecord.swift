import FusionSessions

/// A session as the clients know it.
final class SessionRecord: @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  let id: SessionID
  let model: ModelKind
  /// The newest version that anybody was shown.
  var seen = 0
  var isOver = false
  /// Whether it was answered as one that never was, as the calendar says that it ended long ago.
  var isForgotten = false
  /// At which versions it was read from the store: what came before these was perhaps never shown.
  var restoredVersions: [Int] = []
  /// The past from which it goes on; nil where it began anew.
  var origin: Origin?
  /// Whether work was dropped that State may wait for.
  var isCutOff = false
  var isTakenBack = false
  /// The number of open streams of the session.
  var streams = 0
  /// When a process has served somebody last who asked for this session.
  private(set) var use: Use?

  struct Use {
    /// The number of the process.
    let process: Int
    /// On the scheduler's clock.
    let time: Duration
  }

  /// When a process has decided that it is to expire, and which.
  var expiry: (process: Int, time: Duration)?

  init(_ id: SessionID, model: ModelKind) {
    self.id = id
    self.model = model
  }

  var path: String { "/sessions/\(id)" }

  /// Returns a State with all that the session has passed on and got.
  func whole(_ state: ShownState) -> ShownState { origin?.whole(state) ?? state }

  func used(in process: Int, at time: Duration) {
    use = Use(process: process, time: time)
  }
}
