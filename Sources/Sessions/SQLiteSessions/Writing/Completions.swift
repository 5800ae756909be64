import Dispatch
import Synchronization

/// Runs the completions of finished commits and reads, in the order in which these finished.
///
/// The completion of an append renders answers, counts metrics and wakes streams, which takes longer than the append
/// itself. So completions run on a thread of their own, one hop for each group: the writer only writes.
final class Completions: Sendable {
  typealias Completion = @Sendable () -> Void

  private struct Backlog {
    var completions: [Completion] = []
    /// Whether the queue runs completions, or is about to.
    var isRunning = false
  }

  private let backlog = Mutex(Backlog())
  private let queue: DispatchQueue

  init(_ label: String) {
    queue = DispatchQueue(label: label, qos: .userInitiated)
    queue.setSpecific(key: isCompletionThread, value: true)
  }

  /// Runs a completion on the queue, after those before it; called on the writer's thread only.
  func run(_ completion: @escaping Completion) {
    let mustStart = backlog.withLock { backlog in
      backlog.completions.append(completion)
      defer { backlog.isRunning = true }
      return !backlog.isRunning
    }
    if mustStart { queue.async { [self] in runAll() } }
  }

  /// Waits until the queue has run all that it was given.
  func wait() { queue.sync {} }

  /// Whether the caller is a completion on the queue.
  static var isRunningHere: Bool { DispatchQueue.getSpecific(key: isCompletionThread) == true }

  private func runAll() {
    while true {
      let completions = backlog.withLock { backlog in
        defer { backlog.completions = [] }
        backlog.isRunning = !backlog.completions.isEmpty
        return backlog.completions
      }
      guard !completions.isEmpty else { return }
      for completion in completions { completion() }
    }
  }
}

private let isCompletionThread = DispatchSpecificKey<Bool>()
