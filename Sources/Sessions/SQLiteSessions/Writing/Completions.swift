import Dispatch
import Synchronization

/// Runs the completions of finished commits and reads, in the order in which these finished.
///
/// The completion of an append renders answers, counts metrics and wakes streams, which takes longer than the append
/// itself. While more work waits for the writer, completions run on a thread of their own, one hop for each group.
/// Otherwise the writer runs them itself and saves the hop.
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

  /// Runs a completion after those before it: at once, or on the queue where the writer is wanted elsewhere.
  ///
  /// Called on the writer's thread only.
  func run(isWriterBusy: Bool, _ completion: @escaping Completion) {
    let mustStart: Bool? = backlog.withLock { backlog in
      guard isWriterBusy || backlog.isRunning else { return nil }
      backlog.completions.append(completion)
      defer { backlog.isRunning = true }
      return !backlog.isRunning
    }
    guard let mustStart else { return completion() }
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
