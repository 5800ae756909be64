import Synchronization
package import UIFusionKit

/// Inputs that clients submit.
extension Session {
  /// The result of a request to submit Inputs.
  package enum Submission: Sendable {
    /// The Inputs wait in the queue, or are processed by now.
    case accepted(SubmittedInputs)
    /// The key's Inputs are at work, or have not settled: see ``SubmittedInputs/observe(_:)``.
    case running(SubmittedInputs)
    /// The key's Inputs were processed before.
    indirect case complete(KeyProgress)
    /// The key stands for another body.
    case mismatch
  }

  /// Submits the Inputs of a request's body.
  ///
  /// - Parameters:
  ///   - body: one Input as JSON, or an array of them.
  ///   - origin: the request that the Inputs came with.
  ///   - key: the key under which the Inputs are processed once, however often they are submitted.
  ///   - condition: given the version when the first Input is about to be processed; false refuses all Inputs.
  ///   - permit: given the Inputs, unless they are the rest of a body that it was given before; throws to refuse them.
  ///   - admit: given the number of Inputs that are not processed, unless they are the rest of a body; throws to refuse
  ///     them. Called again with the negative number where the Inputs find no room after all.
  ///   - answer: the form of the answer, if the request is not answered before the Inputs are processed.
  ///   - observer: told of the Inputs' progress.
  /// - Returns: the outcome.
  /// - Throws: a ``SubmitError``, what `permit` and `admit` do, or what is wrong with the body. Then nothing was submitted.
  @discardableResult
  package func submit(
    _ body: [UInt8],
    from origin: InputOrigin? = nil,
    key: RequestKey? = nil,
    if condition: (@Sendable (_ version: Int) -> Bool)? = nil,
    permit: (InputBatch) throws -> Void = { _ in },
    admit: (_ count: Int) throws -> Void = { _ in },
    answer: KeyProgress.Answer = .full,
    observer: (any InputObserver)? = nil
  ) throws -> Submission {
    guard let instance else { throw submitError }
    let inputs = SubmittedInputs(self, instance.log, origin, key, condition, answer, observer)
    var processed = 0
    if let key {
      // Asked after the instance, which brings its keys with it when it comes from the store.
      switch keys.withLock({ $0.claim(key, for: inputs, now: time.now) }) {
      case .first(let count):
        processed = count
        inputs.resume(after: count)
      case .running(let others): return .running(others)
      case .complete(let progress): return .complete(progress)
      case .mismatch: return .mismatch
      }
    }
    // A request whose Inputs wait keeps the session.
    beginUse()
    do {
      let batch = try context.noting(.reading, id, viewModel) {
        try viewModel.read(body, processed, inputs)
      }
      guard batch.count <= context.limits.batch else {
        throw SubmitError.batchTooLong(limit: context.limits.batch)
      }
      // A repeated part of a stream may have other Inputs behind the processed ones.
      let isNew = processed == 0 || key?.part != nil
      if isNew {
        try permit(batch)
        try admit(batch.count - batch.first)
      }
      switch instance.engine.submit(batch) {
      case .accepted: return .accepted(inputs)
      case .full:
        if isNew { try admit(batch.first - batch.count) }
        throw SubmitError.queueFull
      case .closed: throw submitError
      }
    } catch {
      endUse()
      inputs.reject()
      throw error
    }
  }

  func advance(_ progress: KeyProgress, by inputs: SubmittedInputs) {
    let now = time.now
    keys.withLock { $0.advance(progress, by: inputs, now: now) }
  }

  func finish(_ key: String, by inputs: SubmittedInputs) {
    keys.withLock { $0.finish(key, by: inputs) }
  }

  /// The number of Inputs that wait to be processed.
  var waitingInputs: Int { instance?.engine.waitingInputs ?? 0 }

  /// Calls back once everything that the session has done so far is released, and the feed says whether the current
  /// snapshot is settled.
  package func afterTurn(_ body: @escaping @Sendable () -> Void) {
    guard let engine = instance?.engine else { return body() }
    Task.detached(executorPreference: context.dependencies.executor) {
      await engine.answer(InputBatch([Int](), owner: Callback(body)))
    }
  }

  /// Whether a message to a session waits to be taken, such as a reply; nil while the session sleeps.
  package func isHandingOver(to receiver: String) async -> Bool? {
    await instance?.engine.isHandingOver(to: .id(receiver))
  }

  /// Whether messages that were sent before the session was last read from the store are not settled.
  package var isSettlingRestored: Bool {
    get async { await instance?.engine.isSettlingRestored ?? false }
  }

  private final class Callback: BatchOwner {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }

    func didProgress(to progress: InputBatch.Progress) {
      body()
    }
  }
}

/// The reason why Inputs were not accepted.
package enum SubmitError: Error, Equatable {
  case queueFull
  case batchTooLong(limit: Int)
  case ended
  /// The session has to be read from the store.
  case asleep
}
