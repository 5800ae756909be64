extension ProblemPage {
  /// Those about Inputs, and about the headers that they are sent with.
  static let inputs = [
    ProblemPage(
      [413],
      "batch-too-long",
      "Too many Inputs in a batch",
      means: "The array has more Inputs than a batch may have, which the member limit says. None "
        + "was processed.",
      advice: "Send several batches. Whoever runs the service can raise the limit with --max-batch."
    ),
    ProblemPage(
      [422],
      "invalid-input",
      "Not an Input of this view model",
      means: "The body is JSON, but no Input of this view model: the case is unknown, or a value "
        + "is missing or of another type. known lists the cases, member names what is wrong, "
        + "index which Input of a batch. None of the batch was processed.",
      advice: "Send one of the known Inputs. GET /view-models/NAME has every way to write each; "
        + "with Accept: text/markdown it is a page to read."
    ),
    ProblemPage(
      [400],
      "malformed-condition",
      "If-Match is malformed",
      means: "If-Match holds no version that can be read.",
      advice: "Send If-Match: \"7\" with the version in quotes, a list of those, or *."
    ),
    ProblemPage(
      [400],
      "malformed-idempotency-key",
      "Idempotency-Key is malformed",
      means: "The key is empty, too long, comes twice, or has characters other than visible ASCII.",
      advice: "Send one key of 1 to 255 visible ASCII characters; a UUID does."
    ),
    ProblemPage(
      [412],
      "precondition-failed",
      "The session has moved on",
      means: "If-Match named a version, and another is current: somebody else, or an effect, was "
        + "faster. Nothing was applied; current has the snapshot as it is.",
      advice: "Look at current, decide anew, and send its version as If-Match. Leave If-Match out "
        + "where the version does not matter."
    ),
    ProblemPage(
      [429],
      "queue-full",
      "Too many Inputs are waiting",
      means: "As many Inputs wait in this session as may, which the member limit says. This one "
        + "was not taken.",
      advice:
        "Try again after the seconds in Retry-After. A client that sends faster than its view "
        + "model works can wait for each answer, or send a batch. Whoever runs the service can "
        + "raise the limit with --max-queued-inputs."
    ),
    ProblemPage(
      [422],
      "reused-idempotency-key",
      "The key belongs to another body",
      means: "This Idempotency-Key came before, with another body. Nothing was applied.",
      advice: "Give each request a key of its own, and repeat a request byte by byte when its "
        + "answer was lost."
    ),
    ProblemPage(
      [500],
      "state-not-writable",
      "The State cannot be written as JSON",
      means: "The turn led to a State that JSON cannot hold, such as a number that is infinite or "
        + "none; member names the place. The Input was undone, and the session lives.",
      advice: "Report it to whoever wrote the view model: the fault is there, often a division by "
        + "zero."
    ),
    ProblemPage(
      [422],
      "state-too-large",
      "The State would be too large",
      means: "The turn led to a State of more bytes than the member limit says. The Input was "
        + "undone, and the session lives.",
      advice: "Have the session keep less. Whoever runs the service can raise the limit with "
        + "--max-state."
    ),
    ProblemPage(
      [400],
      "unanswered-condition",
      "If-Match cannot be answered asynchronously",
      means: "The request asks to be answered before it is processed, and to be told whether a "
        + "condition held then.",
      advice: "Leave out Prefer: respond-async, or If-Match."
    ),
  ]
}
