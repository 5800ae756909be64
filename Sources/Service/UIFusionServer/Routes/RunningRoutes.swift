import Synchronization

/// The running functions of the program that answer requests, to be cancelled as the service stops.
final class RunningRoutes: Sendable {
  private struct Contents {
    var lastNumber = 0
    var tasks: [Int: Task<Void, Never>] = [:]
    /// The handlers that ended before they were noted.
    var ended: Set<Int> = []
    var isStopping = false
  }

  private let contents = Mutex(Contents())

  /// Runs a handler in a task of its own, which it returns.
  @discardableResult
  func run(
    on executor: (any TaskExecutor)?,
    _ handler: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    let number = contents.withLock { contents in
      contents.lastNumber += 1
      return contents.lastNumber
    }
    let task = Task(executorPreference: executor) { [self] in
      await handler()
      contents.withLock { contents in
        if contents.tasks.removeValue(forKey: number) == nil { contents.ended.insert(number) }
      }
    }
    let isStopping = contents.withLock { contents in
      if contents.ended.remove(number) == nil { contents.tasks[number] = task }
      return contents.isStopping
    }
    if isStopping { task.cancel() }
    return task
  }

  /// Cancels all handlers, and those that come later.
  func cancelAll() {
    let tasks = contents.withLock { contents in
      contents.isStopping = true
      return Array(contents.tasks.values)
    }
    for task in tasks { task.cancel() }
  }
}
