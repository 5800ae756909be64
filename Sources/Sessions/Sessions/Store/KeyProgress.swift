/// How far the Inputs have come that a client sent with an `Idempotency-Key`.
///
/// Stored with each of them, so that a repetition goes on behind what was processed, and answered
/// without any State: a repetition shows the one that is current then.
package struct KeyProgress: Sendable, Equatable {
  /// How the first request was answered, and so is each repetition.
  package enum Answer: UInt8, Sendable {
    /// With the snapshot: 200.
    case full
    /// With the version alone: 204.
    case minimal
    /// Before it was processed: 202.
    case queued
  }

  package var key: String
  /// Stands for the body; empty where it is not known, and any body counts as the same.
  package var digest: [UInt8]
  package var answer: Answer
  /// How many of the body's Inputs are processed.
  package var processed: Int
  /// How many Inputs the body has.
  package var count: Int
  /// The version after the Input that was processed last.
  package var version: Int
  package var time: WallTime

  package init(
    key: String,
    digest: [UInt8],
    answer: Answer,
    processed: Int,
    count: Int,
    version: Int,
    time: WallTime
  ) {
    self.key = key
    self.digest = digest
    self.answer = answer
    self.processed = processed
    self.count = count
    self.version = version
    self.time = time
  }

  package var isComplete: Bool { processed >= count }
}
