import Foundation

/// Runs blocking work on a thread of its own.
///
/// Swift's pool has one thread for each core, and Dispatch's global queue few more: the service in the same process, and
/// all other tests, need them.
package func onThread<Value: Sendable>(
  _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
  }
}
