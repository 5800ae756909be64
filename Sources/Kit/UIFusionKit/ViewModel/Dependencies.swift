#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What view models and their engines are given from outside, so that a test can give something else.
///
/// Whatever else sessions share, such as a client of a database, is handed to a view model in the same way:
/// by the closure that creates it.
public struct Dependencies: Sendable {
  /// The time that they wait by.
  public var time: any TimeSource {
    get { machine.time }
    set { machine = Machine(time: newValue, executor: executor) }
  }

  /// Where their tasks run while they are not on an engine; nil is Swift's own pool.
  public var executor: (any TaskExecutor)? {
    get { machine.executor }
    set { machine = Machine(time: time, executor: newValue) }
  }

  /// What all engines share of these: each refers to it, and has no copy of its own.
  private(set) var machine: Machine

  /// What the calendar says: for what people read, not for waiting.
  public var date: @Sendable () -> Date

  /// Random numbers, and ids made of them.
  public var random: RandomSource

  /// Where they publish and subscribe, so that sessions hear of each other.
  public var topics: Topics

  /// Who looks on.
  public var interceptors: [any Interceptor]

  /// Told of each Input that was processed, on its engine; nil where nobody wants to know.
  package var inputReport: (@Sendable (InputRecord) -> Void)?

  /// The machine's own time, pool and random numbers, and topics that nobody else has, unless something else
  /// is given.
  public init(
    time: any TimeSource = .system,
    executor: (any TaskExecutor)? = nil,
    date: @escaping @Sendable () -> Date = { Date.now },
    random: RandomSource = .system,
    topics: Topics = Topics(),
    interceptors: [any Interceptor] = []
  ) {
    machine = Machine(time: time, executor: executor)
    self.date = date
    self.random = random
    self.topics = topics
    self.interceptors = interceptors
  }
}

/// What engines wait by, and where they run.
final class Machine: Sendable {
  let time: any TimeSource
  let executor: (any TaskExecutor)?

  init(time: any TimeSource, executor: (any TaskExecutor)?) {
    self.time = time
    self.executor = executor
  }
}
