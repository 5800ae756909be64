/// Where time comes from: the machine's clock when hosted, a clock moved by hand in tests.
///
/// A view model that waits, waits on one of these, so that its tests neither take time nor guess.
public protocol TimeSource: Sendable {
  /// Time since a start that stays the same while the process runs. It never goes back.
  var now: Duration { get }

  /// Waits until `now` has reached the deadline, without leaving the caller's isolation.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  nonisolated(nonsending) func sleep(until deadline: Duration) async throws
}

extension TimeSource {
  /// Waits for a while, from now on.
  nonisolated(nonsending) public func sleep(for duration: Duration) async throws {
    try await sleep(until: now + duration)
  }
}
