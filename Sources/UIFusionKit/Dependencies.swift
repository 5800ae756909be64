/// What view models and their engines are given from outside, so that a test can give something else.
public struct Dependencies: Sendable {
  /// The time that they wait by.
  public var time: any TimeSource

  /// Where their tasks run while they are not on an engine; nil is Swift's own pool.
  public var executor: (any TaskExecutor)?

  /// The machine's own time and Swift's own pool, unless a test says otherwise.
  public init(time: any TimeSource = .system, executor: (any TaskExecutor)? = nil) {
    self.time = time
    self.executor = executor
  }
}
