import _Concurrency

/// Stands in for the runtime's continuation under the thread sanitizer, which does not see what a
/// continuation hands over when it is resumed before its task waits (swiftlang/swift, issue 57803).
struct CheckedContinuation<T, E: Error>: Sendable {
  fileprivate let continuation: _Concurrency.CheckedContinuation<T, E>
  fileprivate let handover: Handover

  func resume(returning value: sending T) {
    handover.pass()
    continuation.resume(returning: value)
  }

  func resume() where T == Void { resume(returning: ()) }

  func resume(throwing error: E) {
    handover.pass()
    continuation.resume(throwing: error)
  }
}

nonisolated(nonsending) func withCheckedContinuation<Value>(
  _ body: (CheckedContinuation<Value, Never>) -> Void
) async -> sending Value {
  let handover = Handover()
  defer { handover.pass() }
  return await _Concurrency.withCheckedContinuation {
    body(.init(continuation: $0, handover: handover))
  }
}

func withCheckedContinuation<Value>(
  isolation: isolated (any Actor)?,
  _ body: (CheckedContinuation<Value, Never>) -> Void
) async -> sending Value {
  let handover = Handover()
  defer { handover.pass() }
  return await _Concurrency.withCheckedContinuation(isolation: isolation) {
    body(.init(continuation: $0, handover: handover))
  }
}

nonisolated(nonsending) func withCheckedThrowingContinuation<Value>(
  _ body: (CheckedContinuation<Value, any Error>) -> Void
) async throws -> sending Value {
  let handover = Handover()
  defer { handover.pass() }
  return try await _Concurrency.withCheckedThrowingContinuation {
    body(.init(continuation: $0, handover: handover))
  }
}

/// Makes what a thread did before its call visible to a thread that calls later.
private final class Handover: Sendable {
  private let turn = Mutex(())

  func pass() { turn.withLock { _ in } }
}
