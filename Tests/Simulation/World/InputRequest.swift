import FusionSessions

/// A client's request to process Inputs, and what the client has learned about it.
final class InputRequest: @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  let session: SessionRecord
  let body: String
  /// The numbers of the Inputs that appear in State.
  let numbers: [Int]
  /// The numbers of the Inputs that start work.
  let workNumbers: [Int]
  let key: String?
  let prefer: String?
  let isConditional: Bool
  /// The number of attempts, and of attempts without an answer yet.
  var attempts = 0
  var openAttempts = 0
  /// The position of the first attempt among all requests.
  var arrival = 0
  /// Whether the request arrived while its session was asleep.
  var hasFoundAsleep = false
  /// The answer that repetitions have to get; nil before the first binding one.
  var answer: Answer?
  /// Whether a client knows that the Inputs were processed.
  var isAcknowledged = false
  /// Whether the Inputs may have been processed without a client's knowledge.
  var isInDoubt = false
  /// Whether a client was told that nothing was applied.
  var isRefused = false
  /// Whether the session was recovered to a State before the Inputs.
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

  /// Records that the session was recovered, perhaps to a State before the Inputs.
  func undo() {
    isUndone = true
    isAcknowledged = false
    isInDoubt = true
  }

  /// Whether all that clients know is that nothing was applied.
  var isKnownToBeRefused: Bool {
    isRefused && !isAcknowledged && !isInDoubt && openAttempts == 0
  }
}
