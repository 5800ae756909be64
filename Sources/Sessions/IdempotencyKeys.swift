/// Which keys a session's Inputs came with, and what each was answered.
///
/// Pure: it tells what to do, and the waiting closures it gives back are called by others, outside
/// any lock.
package struct IdempotencyKeys: Sendable {
  /// How many answers are kept, and for how long.
  package static let limit = 1_000
  package static let lifetime = Duration.seconds(24 * 3600)

  /// Waits for the first request's answer; nil says that there is none, and that the key is free.
  package typealias Waiter = @Sendable (Receipt?) -> Void

  /// What a key means for the request that brings it.
  package enum Claim: Sendable {
    /// It is the first with this key, and has to answer: to ``bind(_:to:by:now:)`` or
    /// ``free(_:by:)`` it.
    case first
    /// The first one is at work; the waiter will be told.
    case waiting
    /// This is a repetition, and this the answer.
    case answered(Receipt)
    /// The key stands for another body.
    case mismatch
  }

  private struct Entry {
    /// Stands for the body.
    let digest: [UInt8]
    /// The first request: only it binds and frees the key.
    ///
    /// One that is late may find the key claimed anew.
    /// Nil for an answer that comes from the store.
    let owner: ObjectIdentifier?
    var receipt: Receipt?
    var waiters: [Waiter] = []
  }

  private var entries: [String: Entry] = [:]
  /// The keys that are bound, oldest first.
  private var bound: [(key: String, time: Duration)] = []

  package init() {}

  /// Those that a store has kept, oldest first.
  init(_ answers: [KeyedAnswer], _ clock: WallClock) {
    for answer in answers.suffix(Self.limit) {
      entries[answer.key] = Entry(digest: answer.body, owner: nil, receipt: answer.receipt)
      bound.append((answer.key, clock.time(at: answer.time)))
    }
  }

  /// Who waits for an answer, of all keys.
  var waiters: [Waiter] { entries.values.flatMap(\.waiters) }

  /// How many keys are known.
  package var count: Int { entries.count }

  package mutating func claim(
    _ key: String,
    for digest: [UInt8],
    by owner: ObjectIdentifier,
    now: Duration,
    waiter: @escaping Waiter
  ) -> Claim {
    forget(olderThan: now - Self.lifetime)
    guard let entry = entries[key] else {
      entries[key] = Entry(digest: digest, owner: owner)
      return .first
    }
    guard entry.digest == digest else { return .mismatch }
    if let receipt = entry.receipt { return .answered(receipt) }
    entries[key]?.waiters.append(waiter)
    return .waiting
  }

  /// Whether the first request with this key is that one, and is at work.
  func isClaimed(_ key: String, by owner: ObjectIdentifier) -> Bool {
    entries[key].map { $0.owner == owner && $0.receipt == nil } ?? false
  }

  /// The first request with this key has its answer: it is every repetition's, too.
  package mutating func bind(
    _ key: String,
    to receipt: Receipt,
    by owner: ObjectIdentifier,
    now: Duration
  ) -> [Waiter] {
    forget(olderThan: now - Self.lifetime)
    guard var entry = entries[key], entry.owner == owner, entry.receipt == nil else { return [] }
    let waiters = entry.waiters
    entry.receipt = receipt
    entry.waiters = []
    entries[key] = entry
    if bound.count == Self.limit { forgetOldest() }
    bound.append((key, now))
    return waiters
  }

  /// The Inputs that came with this key were not taken up, and will not be.
  package mutating func free(_ key: String, by owner: ObjectIdentifier) -> [Waiter] {
    guard let entry = entries[key], entry.owner == owner else { return [] }
    entries[key] = nil
    if entry.receipt != nil { bound.removeAll { $0.key == key } }
    return entry.waiters
  }

  private mutating func forget(olderThan time: Duration) {
    while let oldest = bound.first, oldest.time <= time { forgetOldest() }
  }

  private mutating func forgetOldest() {
    entries[bound.removeFirst().key] = nil
  }
}
