import Synchronization
import UIFusionKit

/// Requests that carry a key.
extension Session {
  /// Asks what a key means; see ``IdempotencyKeys``.
  package func claim(
    _ key: String,
    for body: [UInt8],
    by owner: AnyObject,
    waiter: @escaping IdempotencyKeys.Waiter
  ) -> IdempotencyKeys.Claim {
    let (digest, now) = (SHA256(body), time.now)
    let owner = ObjectIdentifier(owner)
    return keys.withLock { $0.claim(key, for: digest, by: owner, now: now, waiter: waiter) }
  }

  /// Keeps the answer for repetitions; those that wait are told now.
  package func bind(_ key: String, to receipt: Receipt, by owner: AnyObject) {
    let (owner, now) = (ObjectIdentifier(owner), time.now)
    let waiters = keys.withLock { $0.bind(key, to: receipt, by: owner, now: now) }
    for waiter in waiters { waiter(receipt) }
  }

  /// Lets go of a key whose Inputs were not taken up; those that wait are told on the pool, where
  /// they may submit theirs.
  package func free(_ key: String, by owner: AnyObject) {
    let owner = ObjectIdentifier(owner)
    let waiters = keys.withLock { $0.free(key, by: owner) }
    guard !waiters.isEmpty else { return }
    Task.detached(executorPreference: executor) {
      for waiter in waiters { waiter(nil) }
    }
  }
}
