import Synchronization

/// Inputs on their way: to be waited for, or called back.
public final class Sending: Sendable {
  /// Whether nothing is left, and who waits for that.
  private struct Completion {
    var isOver = false
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
        completion.isOver = true
        defer { completion.waiting = [] }
        return completion.waiting
      }
      for continuation in waiting { continuation.resume() }
    }

    func mayBegin(at version: Int) -> Bool { !isCancelled.load(ordering: .acquiring) }

    func proceed(_ progress: InputBatch.Progress) {
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

  /// Returns when nothing of what these Inputs started is left, or the store has closed.
  ///
  /// Repeating timers and what runs in the background are not waited for.
  public func settled() async {
    await withCheckedContinuation { continuation in
      let isOver = owner.completion.withLock { completion in
        if !completion.isOver { completion.waiting.append(continuation) }
        return completion.isOver
      }
      if isOver { continuation.resume() }
    }
  }

  /// Cancels what these Inputs started; where they are not processed yet, they will not be.
  public func cancel() async {
    owner.isCancelled.store(true, ordering: .releasing)
    await engine.cancel(batch)
  }
}
