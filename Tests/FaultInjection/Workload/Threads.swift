import Dispatch
import Foundation

/// Runs what waits for a socket on a thread of its own: it must not take one of Swift's, which the
/// service in the same process needs.
func onThread<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
  }
}

extension DispatchGroup {
  /// Begins a thread that belongs to the group.
  func thread(_ body: @escaping @Sendable () -> Void) {
    enter()
    Thread.detachNewThread {
      body()
      self.leave()
    }
  }

  /// Waits until all of its threads have ended.
  func ended() async {
    await withCheckedContinuation { continuation in
      notify(queue: .global()) { continuation.resume() }
    }
  }
}
