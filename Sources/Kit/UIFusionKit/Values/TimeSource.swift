/// A clock: the machine's own in production, a manually advanced one in tests.
///
/// A view model waits only on a `TimeSource`, so that its tests take no time and are exact.
public protocol TimeSource: Sendable {
  /// The time since a fixed start; never goes back while the process runs.
  var now: Duration { get }

  /// Waits until `now` reaches the deadline, without leaving the caller's isolation.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  nonisolated(nonsending) func sleep(until deadline: Duration) async throws
}

extension TimeSource {
  /// Waits for a duration from now.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  nonisolated(nonsending) public func sleep(for duration: Duration) async throws {
    try await sleep(until: now.adding(duration))
  }
}

/// The machine's continuous clock, counted from its first use in the process.
public struct SystemTime: TimeSource {
  private static let start = ContinuousClock.now

  /// Creates a clock; all instances show the same time.
  public init() {}

  /// The time since the start.
  public var now: Duration { Self.start.duration(to: .now) }

  /// Waits on Swift's continuous clock.
  nonisolated(nonsending) public func sleep(until deadline: Duration) async throws {
    // The system's clocks count nanoseconds in 64 bits, which is less than 300 years.
    let deadline = max(.zero, min(deadline, .seconds(1 << 32)))
    try await Task.sleep(until: Self.start + deadline, clock: .continuous)
  }
}

extension TimeSource where Self == SystemTime {
  /// The machine's continuous clock.
  public static var system: SystemTime { SystemTime() }
}
