import Synchronization
package import UIFusionKit

/// The timeouts of held requests, which also end when the service begins to stop.
///
/// However many there are, one task sleeps, until the earliest deadline. The task sleeps on when that timeout
/// is stopped: a sleep that is cancelled leaves its timer with the system until it would have ended,
/// and most timeouts are stopped.
package final class Timeouts: Sendable {
  private struct Contents {
    var actions: [Int: @Sendable () -> Void] = [:]
    /// The timeouts by deadline; a stopped one stays until it comes first, or too many are stopped.
    var queue = DeadlineQueue()
    var started = 0
    var isOver = false

    var sleeper: Task<Void, Never>?
    /// The current sleeper's number, and the end of its sleep, which is nil if nothing sleeps.
    var generation = 0
    var wakeUp: Duration?

    mutating func sleep(until deadline: Duration) -> Int {
      generation += 1
      wakeUp = deadline
      return generation
    }
  }

  private let contents = Mutex(Contents())
  private let time: any TimeSource
  private let executor: (any TaskExecutor)?

  package init(_ dependencies: Dependencies) {
    time = dependencies.time
    executor = dependencies.executor
  }

  deinit {
    contents.withLock { $0.sleeper }?.cancel()
  }

  /// A timeout that was started, with which it is stopped.
  package struct Timeout: Sendable {
    fileprivate let number: Int
  }

  /// The number of timeouts that run.
  package var count: Int { contents.withLock { $0.actions.count } }

  /// Whether all waiting has ended.
  var isOver: Bool { contents.withLock { $0.isOver } }

  /// Runs the action once that time has passed, on the pool; at once if there is no time to wait.
  package func start(
    after duration: Duration,
    _ action: @escaping @Sendable () -> Void
  ) -> Timeout {
    let deadline = time.now.adding(duration)
    let (number, generation): (Int, Int?) = contents.withLock { contents in
      contents.started += 1
      let number = contents.started
      guard !contents.isOver, duration > .zero else { return (0, nil) }
      contents.actions[number] = action
      contents.queue.insert(DeadlineQueue.Element(deadline: deadline, number: number))
      if let wakeUp = contents.wakeUp, wakeUp <= deadline { return (number, nil) }
      return (number, contents.sleep(until: deadline))
    }
    if number == 0 { action() }
    if let generation { sleep(until: deadline, generation) }
    return Timeout(number: number)
  }

  /// Stops a timeout: its action will not run, unless it is running.
  package func stop(_ timeout: Timeout) {
    contents.withLock { contents in
      contents.actions[timeout.number] = nil
      if contents.queue.count > 64, contents.queue.count > 2 * contents.actions.count {
        contents.queue.removeAll { contents.actions[$0] == nil }
      }
    }
  }

  /// Ends all waiting: runs all actions now, and those still to come at once.
  package func end() {
    let (actions, sleeper) = contents.withLock { contents in
      defer {
        contents.isOver = true
        contents.actions = [:]
        contents.queue = DeadlineQueue()
        contents.generation += 1
        contents.sleeper = nil
      }
      return (contents.actions, contents.sleeper)
    }
    sleeper?.cancel()
    for action in actions.values { action() }
  }

  private func sleep(until first: Duration, _ generation: Int) {
    let time = time
    let task = Task.detached(executorPreference: executor) { [weak self] in
      var next: Duration? = first
      while let deadline = next {
        guard (try? await time.sleep(until: deadline)) != nil else { return }
        next = self?.runDue(generation)
      }
    }
    let obsolete: Task<Void, Never>? = contents.withLock { contents in
      // Another may have been needed earlier since.
      guard contents.generation == generation else { return task }
      defer { contents.sleeper = task }
      return contents.sleeper
    }
    obsolete?.cancel()
  }

  /// Runs what is due, and returns the next deadline; nil if there is none, or another sleeps.
  private func runDue(_ generation: Int) -> Duration? {
    let now = time.now
    let (due, next) = contents.withLock { contents -> ([@Sendable () -> Void], Duration?) in
      guard contents.generation == generation else { return ([], nil) }
      var due: [@Sendable () -> Void] = []
      while let first = contents.queue.first {
        let action = contents.actions[first.number]
        guard action == nil || first.deadline <= now else { break }
        contents.queue.removeFirst()
        contents.actions[first.number] = nil
        if let action { due.append(action) }
      }
      contents.wakeUp = contents.queue.first?.deadline
      return (due, contents.wakeUp)
    }
    for action in due { action() }
    return next
  }
}
