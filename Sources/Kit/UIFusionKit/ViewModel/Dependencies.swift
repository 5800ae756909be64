#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The external services that view models and their engines use, so that a test can replace them.
///
/// Pass anything else that sessions share, such as a database client, in the same way: capture it in
/// the closure that creates the view model.
public struct Dependencies: Sendable {
  /// The clock that view models and effects wait on.
  public var time: any TimeSource {
    get { runtime.time }
    set { runtime = EngineRuntime(time: newValue, executor: executor, date: date) }
  }

  /// The executor of tasks while they are off the engine; nil is Swift's global pool.
  public var executor: (any TaskExecutor)? {
    get { runtime.executor }
    set { runtime = EngineRuntime(time: time, executor: newValue, date: date) }
  }

  /// The clocks and executor, shared by all engines to keep each engine small.
  private(set) var runtime: EngineRuntime

  /// The calendar's clock: see ``now``.
  public var date: @Sendable () -> Date {
    get { runtime.date }
    set { runtime = EngineRuntime(time: time, executor: executor, date: newValue) }
  }

  /// The id of the hosted session, by which clients reach it; nil for a view model in process.
  ///
  /// Also nil if a service only describes the first State of a view model, or if `uifusion replay` runs it.
  /// The id gives access to the session: treat it as a secret.
  public var sessionID: String?

  /// The id of the identity that the hosted session belongs to; nil if it belongs to nobody.
  public var identity: String?

  /// The source of random numbers and ids.
  public var random: RandomSource

  /// The topics on which sessions publish and subscribe.
  public var topics: Topics

  /// The interceptors that observe each event.
  public var interceptors: [any Interceptor]

  /// The calendar date and time, for people to read; wait on ``time``.
  public var now: Date { date() }

  /// Creates dependencies: by default the system's clock, pool and random numbers, and new topics.
  public init(
    time: any TimeSource = .system,
    executor: (any TaskExecutor)? = nil,
    date: @escaping @Sendable () -> Date = { Date.now },
    random: RandomSource = .system,
    topics: Topics = Topics(),
    interceptors: [any Interceptor] = []
  ) {
    runtime = EngineRuntime(time: time, executor: executor, date: date)
    self.random = random
    self.topics = topics
    self.interceptors = interceptors
  }
}

/// The clocks and executor of engines.
final class EngineRuntime: Sendable {
  let time: any TimeSource
  let executor: (any TaskExecutor)?
  let date: @Sendable () -> Date

  init(
    time: any TimeSource,
    executor: (any TaskExecutor)?,
    date: @escaping @Sendable () -> Date
  ) {
    self.time = time
    self.executor = executor
    self.date = date
  }
}
