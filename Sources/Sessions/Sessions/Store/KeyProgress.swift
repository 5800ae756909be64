/// The progress of the Inputs that a client has sent with an `Idempotency-Key`.
///
/// Stored with each of the Inputs, so that a repetition continues behind the last processed one. No State is kept: a
/// repetition is answered with the current one.
package struct KeyProgress: Sendable, Equatable {
  /// The number of keys that a session keeps.
  package static let limit = 1_000
  /// The time for which a key is kept.
  package static let lifetime = Duration.seconds(24 * 3600)

  /// The form of the answer to the first request and to each repetition.
  package enum Answer: UInt8, Sendable {
    /// The snapshot: 200.
    case full
    /// The version alone: 204.
    case minimal
    /// An answer before the Inputs were processed: 202.
    case queued
  }

  package var key: String
  /// The digest of the body; empty if it is not known, and any body counts as the same.
  package var digest: [UInt8]
  package var answer: Answer
  /// The number of the body's Inputs that are processed.
  package var processed: Int
  /// The number of the body's Inputs.
  package var count: Int
  /// The version after the Input that was processed last.
  package var version: Int
  package var time: WallTime

  package init(
    key: String,
    digest: [UInt8],
    answer: Answer,
    processed: Int,
    count: Int,
    version: Int,
    time: WallTime
  ) {
    self.key = key
    self.digest = digest
    self.answer = answer
    self.processed = processed
    self.count = count
    self.version = version
    self.time = time
  }

  package var isComplete: Bool { processed >= count }
}

/// Keys of messages: one for each sender, whose digest is the number of the last message.
extension KeyProgress {
  /// The number of senders that a session remembers, those of the last messages.
  package static let senderLimit = 10_000

  /// The prefix of these keys' names, which a client's key cannot have.
  package static let messageMark = " "

  package static func isMessage(_ key: String) -> Bool { key.hasPrefix(messageMark) }

  /// Returns the number of a message as bytes that sort as numbers do.
  package static func digest(of number: Int64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
  }

  /// The number of the last message; nil for the key of a client.
  package var messageNumber: Int64? {
    guard Self.isMessage(key), digest.count == 8 else { return nil }
    return digest.reduce(0) { $0 << 8 | Int64($1) }
  }
}

extension KeyProgress {
  /// The rule that selects the keys to keep, asked from the newest to the oldest: the newest progress of each key,
  /// at most ``KeyProgress/limit`` keys, none older than ``KeyProgress/lifetime``; and those of the last senders of
  /// messages, of whatever age.
  package struct Retention {
    private let oldest: WallTime
    private var keys: Set<String> = []
    private var senders: Set<String> = []

    package init(at time: WallTime) {
      oldest = time - KeyProgress.lifetime
    }

    package mutating func keeps(_ key: String, from time: WallTime) -> Bool {
      if KeyProgress.isMessage(key) {
        return senders.count < KeyProgress.senderLimit && senders.insert(key).inserted
      }
      return time > oldest && keys.count < KeyProgress.limit && keys.insert(key).inserted
    }
  }
}

extension StoredSession {
  /// The newest progress of each key whose entry the head covers, oldest first, with numbers up to the head's.
  package var coveredKeys: [(key: KeyProgress, sequence: Int)] {
    var names = Set(entries.compactMap(\.key?.key))
    let covered = Array(keys.reversed().filter { names.insert($0.key).inserted }.reversed())
    return Array(zip(covered, (head.sequence - covered.count + 1)...))
  }

  /// Drops the keys that are not kept any more at the time of the last use.
  package mutating func dropOutdatedKeys() {
    var retention = KeyProgress.Retention(at: used)
    let kept = keys.reversed().filter { retention.keeps($0.key, from: $0.time) }
    keys = kept.reversed()
  }
}
