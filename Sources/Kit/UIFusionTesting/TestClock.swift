import Synchronization
public import UIFusionKit

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A clock that stands still until a test advances it.
///
/// Advancing is exact: everything that is due runs at its own time and in order, and its consequences run
/// before time goes on.
///
/// ```swift
/// let clock = TestClock()
/// let store = Store(clock.dependencies) { CounterViewModel(time: $0.time) }
/// await clock.advance(by: .milliseconds(500))
/// ```
public final class TestClock: TimeSource {
  private struct Sleeper {
    let number: Int
    let deadline: Duration
    let continuation: UnsafeContinuation<Void, any Error>
  }

  private struct Contents {
    var now = Duration.zero
    var start = Date(timeIntervalSince1970: 0)
    var sleeps = 0
    var sleepers: [Sleeper] = []

    mutating func removeSleeper(_ number: Int) -> Sleeper? {
      sleepers.firstIndex { $0.number == number }.map { sleepers.remove(at: $0) }
    }

    /// Removes and returns the next sleeper to wake; sleepers with equal deadlines wake in the order in which
    /// they fell asleep.
    mutating func removeFirst(dueBy time: Duration) -> Sleeper? {
      let first = sleepers.indices.min {
        (sleepers[$0].deadline, sleepers[$0].number) < (sleepers[$1].deadline, sleepers[$1].number)
      }
      guard let first, sleepers[first].deadline <= time else { return nil }
      return sleepers.remove(at: first)
    }
  }

  /// The executor for the code under test, which tells the clock when nothing is running.
  public let executor = CountingExecutor()

  private let contents = Mutex(Contents())

  /// Creates a clock at zero, with a calendar that begins at a date: 1970 by default.
  public init(date: Date = Date(timeIntervalSince1970: 0)) {
    self.date = date
  }

  /// The time to which the test has advanced the clock.
  public var now: Duration { contents.withLock { $0.now } }

  /// The calendar's date, which advances with the clock; setting it wakes no sleeper.
  public var date: Date {
    get { contents.withLock { $0.start.addingTimeInterval($0.now / .seconds(1)) } }
    set { contents.withLock { $0.start = newValue.addingTimeInterval(-($0.now / .seconds(1))) } }
  }

  /// The dependencies for the code under test: this clock, its executor, and new topics on each access.
  public var dependencies: Dependencies {
    Dependencies(time: self, executor: executor, date: { [self] in date })
  }

  /// The number of sleeping tasks.
  public var sleepers: Int { contents.withLock { $0.sleepers.count } }

  /// Waits until the test has advanced the clock to the deadline.
  nonisolated(nonsending) public func sleep(until deadline: Duration) async throws {
    let number = contents.withLock { contents in
      contents.sleeps += 1
      return contents.sleeps
    }
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        let result: Result<Void, any Error>? = contents.withLock { contents in
          // Checked under the lock that the cancellation handler takes, so that no cancellation is missed.
          if Task.isCancelled { return .failure(CancellationError()) }
          if deadline <= contents.now { return .success(()) }
          contents.sleepers.append(
            Sleeper(number: number, deadline: deadline, continuation: continuation)
          )
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let sleeper = contents.withLock { $0.removeSleeper(number) }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Waits until nothing can happen without time passing.
  public func idle() async {
    await executor.idle()
  }

  /// Advances time, and runs everything that is due.
  public func advance(by duration: Duration) async {
    let target = now.adding(duration)
    while true {
      await idle()
      let sleeper = contents.withLock { contents in
        let sleeper = contents.removeFirst(dueBy: target)
        contents.now = max(contents.now, sleeper?.deadline ?? target)
        return sleeper
      }
      guard let sleeper else { return }
      sleeper.continuation.resume()
    }
  }

  /// Advances time until no task sleeps, or up to a limit, since timers never end.
  public func run(atMost limit: Duration = .seconds(86_400)) async {
    let end = now.adding(limit)
    await idle()
    while let next = contents.withLock({ $0.sleepers.map(\.deadline).min() }), next <= end {
      await advance(by: max(.zero, next.subtracting(now)))
    }
  }
}
