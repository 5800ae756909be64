extension KeyProgress {
  /// Which of a session's keys are kept, asked from the newest to the oldest.
  ///
  /// Of each key the newest, of all the newest ``IdempotencyKeys/limit``, none for longer than
  /// ``IdempotencyKeys/lifetime``.
  package struct Retention {
    private let oldest: WallTime
    private var keys: Set<String> = []

    package init(at time: WallTime) {
      oldest = time - IdempotencyKeys.lifetime
    }

    package mutating func keeps(_ key: String, from time: WallTime) -> Bool {
      time > oldest && keys.count < IdempotencyKeys.limit && keys.insert(key).inserted
    }
  }
}

extension StoredSession {
  /// Drops the keys that are not kept any more at the time of the last use.
  package mutating func dropOutdatedKeys() {
    var retention = KeyProgress.Retention(at: used)
    let kept = keys.reversed().filter { retention.keeps($0.key, from: $0.time) }
    keys = kept.reversed()
  }
}
