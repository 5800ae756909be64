import Dispatch
import Synchronization

/// The time from a start of the service to the kill that follows, as all threads see it.
final class Round: Sendable {
  private struct State {
    var answers = 0
    var isOver = false
    var acknowledged = 0
    /// Of each session, the version that its streams have to reach.
    var lastVersions: [History.SessionPath: Int] = [:]
  }

  let service: any FaultyService
  let recorder: Recorder
  private let state = Mutex(State())
  /// Whether it ends in quiet: all others end with a kill in the middle of everything.
  let isLast: Bool
  private let limit: Int
  private let isReached = DispatchSemaphore(value: 0)
  private let answered = DispatchSemaphore(value: 0)

  /// Goes on until so many requests were answered.
  init(_ service: any FaultyService, _ recorder: Recorder, answers: Int, isLast: Bool) {
    self.isLast = isLast
    self.service = service
    self.recorder = recorder
    limit = answers
  }

  /// Whether nothing more is to go wrong with the disk.
  var isOver: Bool { state.withLock { $0.isOver } }
  /// Whether no new Input is to be sent.
  var isFinishing: Bool { isLast && isOver }
  var acknowledged: Int { state.withLock { $0.acknowledged } }

  func count(isAcknowledged: Bool) {
    let count = state.withLock { state in
      state.answers += 1
      if isAcknowledged { state.acknowledged += 1 }
      return state.answers
    }
    answered.signal()
    if count == limit { isReached.signal() }
  }

  /// Waits for the round's last answer, at the latest for some seconds: a disk may hang.
  func waitForLimit(seconds: Double) {
    _ = isReached.wait(timeout: .now() + seconds)
  }

  func end() { state.withLock { $0.isOver = true } }

  /// Waits until so many more requests were answered, at the latest for some milliseconds.
  func pass(answers: Int, milliseconds: Int) {
    let limit = DispatchTime.now() + .milliseconds(milliseconds)
    for _ in 0..<answers where answered.wait(timeout: limit) == .timedOut { return }
  }

  func close(_ session: History.SessionPath, at version: Int) {
    state.withLock { $0.lastVersions[session] = version }
  }

  func lastVersion(of session: History.SessionPath) -> Int? {
    state.withLock { $0.lastVersions[session] }
  }
}
