package import FusionHTTPMessages

/// The problems of Inputs and their headers.
extension Problem {
  /// The rows of this file, for the table of problems.
  package static let ofInputs: [Problem] = [
    .alarmNotWritable, .batchTooLong, .invalidInput, .malformedCondition, .malformedKey,
    .preconditionFailed,
    .queueFull, .reusedKey, .stateNotWritable, .stateTooLarge, .tooManyAlarms,
    .unansweredCondition,
  ]

  package static let alarmNotWritable = Problem(
    500,
    "alarm-not-writable",
    "An alarm cannot be stored",
    detail:
      "Report this to whoever wrote the view model. The Input was undone, those after it "
      + "were not processed; those before it stand.",
    meaning:
      "The turn has set an alarm whose action is not Codable, or that JSON cannot hold, or whose id has "
      + "more than 1,024 bytes; or it has sent such a message. The session lives."
  )

  package static let batchTooLong = Problem(
    413,
    "batch-too-long",
    "Too many Inputs in a batch",
    detail: "Send several batches of fewer Inputs.",
    meaning: "The array has more Inputs than a batch may have. None was processed.",
    limit: "max-batch"
  )

  package static let invalidInput = Problem(
    422,
    "invalid-input",
    "Not an Input of this view model",
    detail: "Send one of the known Inputs: {}.",
    meaning:
      "The body is JSON, but no Input of this view model: the case is unknown, or a value is "
      + "missing or of another type. known lists the cases, member names what is wrong, index "
      + "which Input of a batch. None of the batch was processed.",
    advice:
      "Send one of the known Inputs. GET /view-models/NAME has every way to write each; with "
      + "Accept: text/markdown it is a page to read."
  )

  package static let malformedCondition = Problem(
    400,
    "malformed-condition",
    "If-Match is malformed",
    detail: "Send If-Match: * or a list of versions in quotes, such as If-Match: \"7\".",
    meaning: "If-Match holds no version that can be read."
  )

  package static let malformedKey = Problem(
    400,
    "malformed-idempotency-key",
    "Idempotency-Key is malformed",
    detail:
      "Send one key of 1 to 255 visible ASCII characters, such as a UUID, bare or in quotes.",
    meaning:
      "The key is empty, too long, comes twice, or has characters other than visible ASCII."
  )

  package static let preconditionFailed = Problem(
    412,
    "precondition-failed",
    "If-Match does not match",
    detail: "Look at the current snapshot, decide anew, and send its version as If-Match.",
    meaning:
      "If-Match named a version, and another is current: another client, or an effect, was "
      + "faster. Or it named a weak tag, W/\"7\", which matches no version (RFC 9110 §13.1.1). "
      + "Nothing was applied; the member current has the snapshot.",
    advice:
      "Look at the current snapshot, decide anew, and send its version as If-Match. Leave "
      + "If-Match out where the version does not matter. If ETag is weak, a proxy compresses: turn "
      + "that off, as the service compresses; uifusion doctor finds such a proxy."
  )

  static let alteredPrecondition = preconditionFailed.detailed(
    "Send the version as the member current has it, in quotes and without W/: a weak tag never matches, nor does one "
      + "with a suffix. A proxy that compresses may have made the ETag weak, or added the suffix."
  )

  package static let queueFull = Problem(
    429,
    "queue-full",
    "Too many Inputs are waiting",
    detail: "Try again when those that wait have been processed, or send batches.",
    meaning: "The session's queue of Inputs is full. This one was not taken.",
    limit: "max-queued-inputs"
  ).with("Retry-After", "1")

  package static let reusedKey = Problem(
    422,
    "reused-idempotency-key",
    "The key belongs to another body",
    detail:
      "Send this body with a key of its own, or repeat the body that the key was first sent "
      + "with, byte by byte.",
    meaning: "This Idempotency-Key came before, with another body. Nothing was applied."
  )

  package static let stateNotWritable = Problem(
    500,
    "state-not-writable",
    "The State cannot be written as JSON",
    detail:
      "Report this to whoever wrote the view model. The Input was undone, those after it "
      + "were not processed; those before it stand.",
    meaning:
      "The turn led to a State that JSON cannot hold, such as an infinite number or NaN, "
      + "often by a division by zero; member names the place. The session lives."
  )

  package static let stateTooLarge = Problem(
    422,
    "state-too-large",
    "The State would be too large",
    detail:
      "Have the session keep less. The Input was undone, those after it were not processed; "
      + "those before it stand.",
    meaning:
      "The turn led to a State that has more bytes, as JSON, than are allowed. The session lives.",
    limit: "max-state"
  )

  package static let tooManyAlarms = Problem(
    422,
    "too-many-alarms",
    "Too many alarms or messages would wait",
    detail:
      "Have the session set fewer alarms, or send fewer messages. The Input was undone, those after it were "
      + "not processed; those before it stand.",
    meaning:
      "A session may have 1,000 alarms and messages at a time, of 256 KiB together. The turn would "
      + "have asked for more. The session lives."
  )

  package static let unansweredCondition = Problem(
    400,
    "unanswered-condition",
    "If-Match cannot be answered asynchronously",
    detail:
      "Leave out Prefer: respond-async, or If-Match: whether a condition is met is known "
      + "only when the Input is processed.",
    meaning:
      "The request asks to be answered before it is processed, and to be told whether a "
      + "condition held then."
  )
}
