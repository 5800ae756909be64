extension KeyedAnswer {
  /// Which of a session's answers are kept for repetitions, asked from the newest to the oldest.
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
  /// Drops the answers that are not kept any more at the time when somebody was there last.
  package mutating func dropOutdatedAnswers() {
    var retention = KeyedAnswer.Retention(at: used)
    let kept = answers.reversed().filter { retention.keeps($0.key, from: $0.time) }
    answers = kept.reversed()
  }
}
