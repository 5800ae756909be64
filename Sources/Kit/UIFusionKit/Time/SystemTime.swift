/// The machine's own continuous time, counted from the process's first use of it.
public struct SystemTime: TimeSource {
  private static let start = ContinuousClock.now

  /// All of them tell the same time.
  public init() {}

  /// Time since the start.
  public var now: Duration { Self.start.duration(to: .now) }

  /// Waits on Swift's continuous clock.
  nonisolated(nonsending) public func sleep(until deadline: Duration) async throws {
    try await Task.sleep(until: Self.start + deadline, clock: .continuous)
  }
}

extension TimeSource where Self == SystemTime {
  /// The machine's own time.
  public static var system: SystemTime { SystemTime() }
}
