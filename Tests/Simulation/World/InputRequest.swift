import FusionSessions

/// Inputs that a client wants processed, and what it was told of them.
final class InputRequest: @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  let session: SessionRecord
  let body: String
  /// The numbers of the Inputs that show in State.
  let numbers: [Int]
  /// The numbers of those that start work.
  let workNumbers: [Int]
  let key: String?
  let prefer: String?
  let isConditional: Bool
  /// The number of times that the request was sent, and of those without an answer yet.
  var attempts = 0
  var openAttempts = 0
  /// The place of its first attempt among all requests.
  var arrival = 0
  /// Whether it came when its session was asleep.
  var hasFoundAsleep = false
  /// The answer that repetitions have to get; nil until the first one that holds.
  var answer: Answer?
  /// Whether a client knows that they were processed.
  var isAcknowledged = false
  /// Whether they may have been processed, though no client knows.
  var isInDoubt = false
  /// Whether a client was told that nothing was applied.
  var isRefused = false
  /// Whether a session was taken back to before it was processed.
  private(set) var isUndone = false
  /// The number of times that the work of each number has begun.
  var begun: [Int: Int] = [:]

  struct Answer: Equatable {
    var status: Int
    var version: Int?
  }

  init(
    _ session: SessionRecord,
    _ body: String,
    _ numbers: [Int] = [],
    workNumbers: [Int] = [],
    key: String? = nil,
    prefer: String? = nil,
    isConditional: Bool = false
  ) {
    self.session = session
    self.body = body
    self.numbers = numbers
    self.workNumbers = workNumbers
    self.key = key
    self.prefer = prefer
    self.isConditional = isConditional
  }

  /// Its session is taken back, perhaps to before it was processed.
  func undo() {
    isUndone = true
    isAcknowledged = false
    isInDoubt = true
  }

  /// Whether all that its clients know is that nothing of it was applied.
  var isKnownToBeRefused: Bool {
    isRefused && !isAcknowledged && !isInDoubt && openAttempts == 0
  }
}
