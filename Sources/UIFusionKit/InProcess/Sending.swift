import Synchronization

/// Inputs on their way: to be waited for, or called back.
public final class Sending: Sendable {
  private struct Progress {
    var isOver = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let engine: Engine
  private let batch: InputBatch
  private let progress: ProgressBox

  private final class ProgressBox: BatchOwner {
    let value = Mutex(Progress())
    let isCancelled = Atomic(false)

    func finish() {
      let waiting = value.withLock { progress in
        progress.isOver = true
        defer { progress.waiting = [] }
        return progress.waiting
      }
      for continuation in waiting { continuation.resume() }
    }

    func mayBegin(at version: Int) -> Bool { !isCancelled.load(ordering: .acquiring) }

    func proceed(_ progress: InputBatch.Progress) {
      if progress != .processed(isSettled: false) { finish() }
    }
  }

  init<Input: Sendable>(_ inputs: [Input], to engine: Engine) {
    let progress = ProgressBox()
    self.engine = engine
    self.progress = progress
    batch = InputBatch(inputs, owner: progress)
    if case .accepted = engine.submit(batch) { return }
    progress.finish()
  }

  /// Returns when nothing of what these Inputs started is left, or the store has closed.
  ///
  /// Repeating timers and what runs in the background are not waited for.
  public func settled() async {
    await withCheckedContinuation { continuation in
      let isOver = progress.value.withLock { progress in
        if !progress.isOver { progress.waiting.append(continuation) }
        return progress.isOver
      }
      if isOver { continuation.resume() }
    }
  }

  /// Cancels what these Inputs started; where they are not processed yet, they will not be.
  public func cancel() async {
    progress.isCancelled.store(true, ordering: .releasing)
    await engine.cancel(batch)
  }
}
