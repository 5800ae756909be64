import Dispatch
import FusionRawHTTP
import Synchronization

/// The shared state of all threads from a start of the service to the following kill.
final class Round: Sendable {
  private struct State {
    var answers = 0
    var isOver = false
    var acknowledged = 0
    /// The version that the streams of each session have to reach.
    var lastVersions: [History.SessionPath: Int] = [:]
  }

  let service: any FaultyService
  let recorder: Recorder
  private let state = Mutex(State())
  /// Whether the round ends when all Inputs are processed; other rounds end with a kill under load.
  let isLast: Bool
  private let limit: Int
  private let isReached = DispatchSemaphore(value: 0)
  private let answered = DispatchSemaphore(value: 0)

  /// Creates a round that lasts until a number of requests were answered.
  init(_ service: any FaultyService, _ recorder: Recorder, answers: Int, isLast: Bool) {
    self.isLast = isLast
    self.service = service
    self.recorder = recorder
    limit = answers
  }

  /// Whether no more faults are to be injected.
  var isOver: Bool { state.withLock { $0.isOver } }
  /// Whether no more new Inputs are to be sent.
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

  /// Waits for the round's last answer, at most for some seconds, as a disk may hang.
  func waitForLimit(seconds: Double) {
    _ = isReached.wait(timeout: .now() + seconds)
  }

  func end() { state.withLock { $0.isOver = true } }

  /// Waits until a number of further requests were answered, at most for some milliseconds.
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

extension Round {
  /// Reads and records a session's current version; 0 if it is not shown.
  @discardableResult
  func look(at session: History.SessionPath) throws -> Int {
    let (asked, client) = (now(), try RawClient(service.port, silence: 30))
    var text = ""
    var questions = 0
    // While a commit is in doubt, no State is shown until the store has accepted a commit again.
    repeat {
      client.request("GET \(session)")
      text = try client.response()?.text ?? "no answer"
      questions += 1
    } while questions < 100_000
      && (text.isEmpty || text.contains("/problems/store-unreachable"))
    guard let snapshot = Snapshot(text) else {
      recorder.record(Request(session, [], sent: asked, .unexpected(text)))
      return 0
    }
    let view = View(
      session,
      .answer,
      asked: asked,
      received: now(),
      version: snapshot.version,
      items: snapshot.items
    )
    recorder.record(view)
    return snapshot.version
  }
}
