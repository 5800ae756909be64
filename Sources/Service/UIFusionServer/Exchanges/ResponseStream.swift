import FusionHTTPMessages
import Synchronization

/// A body whose parts come from an asynchronous sequence, one at a time.
///
/// A sequence that throws ends the body with `.failed`, so that the client does not take what it has for the whole.
final class ResponseStream: BodyStream {
  private struct State {
    var part: [UInt8]?
    var end: BodyStep?
    var isClosed = false
    var wake: (@Sendable () -> Void)?
    /// Asks for the next part; nil while none is wanted.
    var producer: CheckedContinuation<Void, Never>?
    var task: Task<Void, Never>?
    var executor: (any TaskExecutor)?
  }

  private let state = Mutex(State())
  private let produce: @Sendable (ResponseStream) async -> BodyStep

  init<Parts: AsyncSequence & Sendable>(_ parts: Parts) where Parts.Element == [UInt8] {
    produce = { stream in
      do {
        for try await part in parts where !part.isEmpty {
          guard await stream.offer(part) else { break }
        }
        return .finished
      } catch {
        return .failed
      }
    }
  }

  var endsAnywhere: Bool { false }

  /// Sets the executor of the sequence, before the stream is opened; nil is Swift's global pool.
  func run(on executor: (any TaskExecutor)?) {
    state.withLock { $0.executor = executor }
  }

  func opened(wake: @escaping @Sendable () -> Void, cut: @escaping @Sendable () -> Void) {
    let executor = state.withLock { state in
      state.wake = wake
      return state.executor
    }
    let task = Task(executorPreference: executor) { [self] in
      let end = await produce(self)
      state.withLock { $0.end = end }
      wake()
    }
    let isClosed = state.withLock { state in
      state.task = task
      return state.isClosed
    }
    if isClosed { task.cancel() }
  }

  /// Hands over a part, and waits until it is taken; returns false once no more parts are taken.
  private func offer(_ part: [UInt8]) async -> Bool {
    await withCheckedContinuation { producer in
      let wake = state.withLock { state in
        guard !state.isClosed else { return nil as (@Sendable () -> Void)? }
        state.part = part
        state.producer = producer
        return state.wake
      }
      if let wake { wake() } else { producer.resume() }
    }
    return state.withLock { !$0.isClosed }
  }

  func next() -> BodyStep {
    let (step, producer) = state.withLock { state in
      guard let part = state.part.take() else {
        return (state.end ?? .idle, nil as CheckedContinuation<Void, Never>?)
      }
      return (.chunk(BodyChunk(part)), state.producer.take())
    }
    producer?.resume()
    return step
  }

  func closed() {
    let (producer, task) = state.withLock { state in
      state.isClosed = true
      state.part = nil
      // The socket that it wakes holds the stream.
      state.wake = nil
      return (state.producer.take(), state.task.take())
    }
    task?.cancel()
    producer?.resume()
  }
}
