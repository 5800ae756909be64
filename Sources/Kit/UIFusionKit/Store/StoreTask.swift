import Synchronization

/// A handle to the work of Inputs that were sent to a store.
public final class StoreTask: Sendable {
  /// Whether the work has ended, and the tasks that wait for its end.
  private struct Completion {
    var isEnded = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let engine: Engine
  private let batch: InputBatch
  private let owner: Owner

  private final class Owner: BatchOwner {
    let completion = Mutex(Completion())
    let isCancelled = Atomic(false)
    let origin = InputOrigin.current

    func finish() {
      let waiting = completion.withLock { completion in
        completion.isEnded = true
        defer { completion.waiting = [] }
        return completion.waiting
      }
      for continuation in waiting { continuation.resume() }
    }

    func mayBegin(at version: Int) -> Bool { !isCancelled.load(ordering: .acquiring) }

    func didProgress(to progress: InputBatch.Progress) {
      if progress != .processed(isSettled: false) { finish() }
    }
  }

  init<Input: Sendable>(_ inputs: [Input], to engine: Engine) {
    let owner = Owner()
    self.engine = engine
    self.owner = owner
    batch = InputBatch(inputs, owner: owner)
    if case .accepted = engine.submit(batch) { return }
    owner.finish()
  }

  /// Waits until all work that the Inputs started has ended, or the store has closed.
  ///
  /// Repeating timers and background work are not waited for.
  public func settled() async {
    await withCheckedContinuation { continuation in
      let isEnded = owner.completion.withLock { completion in
        if !completion.isEnded { completion.waiting.append(continuation) }
        return completion.isEnded
      }
      if isEnded { continuation.resume() }
    }
  }

  /// Cancels the work that the Inputs started, and drops unprocessed Inputs.
  public func cancel() async {
    owner.isCancelled.store(true, ordering: .releasing)
    await engine.cancel(batch)
  }
}
