import FusionHTTPMessages
import FusionSessions

/// What may be wrong with Inputs, and with the headers that they are sent with.
extension Problem {
  static let malformedCondition = Problem(
    400,
    "malformed-condition",
    "If-Match is malformed",
    detail: "Send If-Match: * or a list of versions in quotes, such as If-Match: \"7\"."
  )

  static let unansweredCondition = Problem(
    400,
    "unanswered-condition",
    "If-Match cannot be answered asynchronously",
    detail: "Leave out Prefer: respond-async, or If-Match: whether a condition is met is known "
      + "only when the Input is processed."
  )

  static let malformedKey = Problem(
    400,
    "malformed-idempotency-key",
    "Idempotency-Key is malformed",
    detail: "Send one key of 1 to 255 visible ASCII characters, such as a UUID, bare or in quotes."
  )

  static func preconditionFailed(current: Snapshot) -> Problem {
    Problem(
      412,
      "precondition-failed",
      "The session has moved on",
      detail: "Look at the current snapshot, decide anew, and send its version as If-Match."
    ).adding("current", json: current.text)
  }

  static func batchTooLong(limit: Int) -> Problem {
    Problem(
      413,
      "batch-too-long",
      "Too many Inputs in a batch",
      detail: "Send batches of at most \(limit) Inputs; --max-batch sets that limit."
    ).adding("limit", json: Array(String(limit).utf8))
  }

  static func invalidInput(_ input: InputError, known: [String]) -> Problem {
    let problem = Problem(
      422,
      "invalid-input",
      "Not an Input of this view model",
      detail: "Send one of the known Inputs: \(input.error)."
    ).adding("known", known).naming(input.member(known: known))
    return input.index.map { problem.adding("index", json: Array(String($0).utf8)) } ?? problem
  }

  static let reusedKey = Problem(
    422,
    "reused-idempotency-key",
    "The key belongs to another body",
    detail: "Send this body with a key of its own, or repeat the body that the key was first sent "
      + "with, byte by byte."
  )

  static func queueFull(limit: Int) -> Problem {
    Problem(
      429,
      "queue-full",
      "Too many Inputs are waiting",
      detail: "Try again when those that wait have been processed. \(limit) may wait in a session; "
        + "--max-queued-inputs sets that limit."
    ).adding("limit", json: Array(String(limit).utf8)).with("Retry-After", "1")
  }
}
