import Synchronization
import UIFusionKit

/// Requests that carry a key.
extension Session {
  /// What stands for a body, here and in the store.
  ///
  /// With the session's id, so that equal bodies of two sessions do not show as equal.
  package func digest(of body: [UInt8]) -> [UInt8] {
    SHA256(Array(id.description.utf8) + body).bytes
  }

  /// Asks what a key means; see ``IdempotencyKeys``.
  package func claim(
    _ key: String,
    for digest: [UInt8],
    by owner: AnyObject,
    waiter: @escaping IdempotencyKeys.Waiter
  ) -> IdempotencyKeys.Claim {
    let (owner, now) = (ObjectIdentifier(owner), time.now)
    return keys.withLock { $0.claim(key, for: digest, by: owner, now: now, waiter: waiter) }
  }

  /// Inputs with a key, whose answer is stored with what they do; the key must be claimed by `owner`.
  package func keyed(
    _ key: String,
    _ digest: [UInt8],
    by owner: AnyObject,
    receipt: @escaping @Sendable (_ snapshot: Snapshot, _ isSettled: Bool) -> Receipt
  ) -> KeyedInputs {
    let clock = surroundings.clock
    return KeyedInputs(
      key: key,
      digest: digest,
      owner: ObjectIdentifier(owner),
      now: { clock.now },
      receipt: receipt
    )
  }

  /// Whether their key is still theirs.
  func isClaimed(_ inputs: KeyedInputs) -> Bool {
    keys.withLock { $0.isClaimed(inputs.key, by: inputs.owner) }
  }

  /// Keeps the answer for repetitions; those that wait are told now.
  package func bind(_ key: String, to receipt: Receipt, by owner: AnyObject) {
    let (owner, now) = (ObjectIdentifier(owner), time.now)
    let waiters = keys.withLock { $0.bind(key, to: receipt, by: owner, now: now) }
    for waiter in waiters { waiter(receipt) }
  }

  /// Stores an answer that was found after its Inputs were taken up, and calls back when it stands,
  /// or with what keeps it from that.
  ///
  /// Unless that is ``StoreError/inDoubt``, the answer that was stored with the Inputs is then the
  /// key's.
  package func store(
    _ receipt: Receipt,
    for key: String,
    _ digest: [UInt8],
    then done: @escaping @Sendable (StoreError?) -> Void
  ) {
    guard surroundings.store != nil else { return done(nil) }
    guard let journal else { return done(.closed) }
    let now = surroundings.clock.now
    journal.record(KeyedAnswer(key: key, body: digest, receipt: receipt, time: now))
    journal.pass(.answer(stored: { done(nil) }, failed: done))
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
