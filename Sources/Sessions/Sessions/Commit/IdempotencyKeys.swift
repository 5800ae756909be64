import UIFusionKit

/// The keys that a session's Inputs came with, and the progress of each.
///
/// Pure: decides what a key means for a request, and which request works under it.
package struct IdempotencyKeys: Sendable {
  /// The meaning of a key for the request that brings it.
  package enum Claim: Sendable {
    /// The request is to submit its Inputs, except the first ones, which are processed already.
    case first(processed: Int)
    /// An earlier request's Inputs are at work, or have not settled.
    case running(SubmittedInputs)
    /// All Inputs were processed before.
    case complete(KeyProgress)
    /// The key stands for another body.
    case mismatch
  }

  private struct Entry {
    var digest: [UInt8]
    /// The progress; nil until the first Input is committed.
    var progress: KeyProgress?
    /// The Inputs that work under the key, until they have settled.
    var inputs: SubmittedInputs?
    /// The number of Inputs of the key up to the end of those at work, which are a part of a stream; nil for others.
    var end: Int?
  }

  private var entries: [String: Entry] = [:]
  /// The Inputs of messages that have not settled, though a later one of the same sender came.
  private var earlier: [String: [(number: [UInt8], inputs: SubmittedInputs)]] = [:]
  /// The keys whose Inputs were processed, in the order in which their first Inputs were.
  private var processedKeys: [(key: String, time: Duration)] = []
  /// The number of senders whose messages were processed.
  private var senders = 0

  package init() {}

  /// Creates keys from those that a store has kept, oldest first.
  package init(_ stored: [KeyProgress], _ clock: WallClock) {
    let ofMessages = stored.filter { KeyProgress.isMessage($0.key) }
    for progress in ofMessages.suffix(KeyProgress.senderLimit) {
      entries[progress.key] = Entry(digest: progress.digest, progress: progress)
      senders += 1
    }
    for progress in stored.filter({ !KeyProgress.isMessage($0.key) }).suffix(KeyProgress.limit) {
      entries[progress.key] = Entry(digest: progress.digest, progress: progress)
      processedKeys.append((progress.key, clock.time(at: progress.time)))
    }
  }

  /// The number of keys that are known.
  package var count: Int { entries.count }

  package mutating func claim(
    _ key: RequestKey,
    for inputs: SubmittedInputs,
    now: Duration
  ) -> Claim {
    forget(olderThan: now - KeyProgress.lifetime)
    if let inputs = earlier[key.name]?.first(where: { $0.number == key.digest })?.inputs {
      return .running(inputs)
    }
    guard let entry = entries[key.name] else {
      entries[key.name] = Entry(digest: key.digest, inputs: inputs, end: key.part?.upperBound)
      return .first(processed: 0)
    }
    if KeyProgress.isMessage(key.name) { return claim(key, for: inputs, entry) }
    guard entry.digest.isEmpty || entry.digest == key.digest else { return .mismatch }
    if let part = key.part { return claim(part, of: key, for: inputs, entry) }
    if let running = entry.inputs { return .running(running) }
    if let progress = entry.progress, progress.isComplete { return .complete(progress) }
    entries[key.name]?.inputs = inputs
    return .first(processed: entry.progress?.processed ?? 0)
  }

  /// Claims a part of a stream: the Inputs before it must be processed, or a repetition would leave some out.
  ///
  /// Parts that have not settled do not hold the next one back.
  private mutating func claim(
    _ part: Range<Int>,
    of key: RequestKey,
    for inputs: SubmittedInputs,
    _ entry: Entry
  ) -> Claim {
    let processed = entry.progress?.processed ?? 0
    if let progress = entry.progress, processed >= part.upperBound { return .complete(progress) }
    if let running = entry.inputs, processed < entry.end ?? .max { return .running(running) }
    guard processed >= part.lowerBound else { return .mismatch }
    entries[key.name]?.inputs = inputs
    entries[key.name]?.end = part.upperBound
    return .first(processed: processed - part.lowerBound)
  }

  /// Claims the key of a message: its number must be above the last processed one, so a refused message may come again.
  private mutating func claim(
    _ key: RequestKey,
    for inputs: SubmittedInputs,
    _ entry: Entry
  ) -> Claim {
    let isSame = entry.progress?.digest == key.digest
    if isSame, let inputs = entry.inputs, entry.digest == key.digest { return .running(inputs) }
    if let progress = entry.progress, !progress.digest.lexicographicallyPrecedes(key.digest),
      !isSame || progress.isComplete
    {
      return .complete(progress)
    }
    if let running = entry.inputs {
      if entry.digest == key.digest { return .running(running) }
      if entry.progress?.digest == entry.digest {
        earlier[key.name, default: []].append((entry.digest, running))
      }
    }
    entries[key.name] = Entry(digest: key.digest, progress: entry.progress, inputs: inputs)
    return .first(processed: isSame ? entry.progress?.processed ?? 0 : 0)
  }

  /// Notes that one more Input is committed.
  package mutating func advance(_ progress: KeyProgress, by inputs: SubmittedInputs, now: Duration)
  {
    guard let entry = entries[progress.key], entry.inputs === inputs else { return }
    entries[progress.key]?.progress = progress
    if KeyProgress.isMessage(progress.key) {
      if entry.progress == nil { addSender() }
      return
    }
    guard entry.progress == nil else { return }
    if processedKeys.count == KeyProgress.limit { forgetOldest() }
    processedKeys.append((progress.key, now))
  }

  /// Notes that no request works under the key any more; the key is free again if none of its Inputs was processed.
  package mutating func finish(_ key: String, by inputs: SubmittedInputs) {
    if let index = earlier[key]?.firstIndex(where: { $0.inputs === inputs }) {
      earlier[key]?.remove(at: index)
      if earlier[key]?.isEmpty == true { earlier[key] = nil }
      return
    }
    guard let entry = entries[key], entry.inputs === inputs else { return }
    if entry.progress == nil { entries[key] = nil } else { entries[key]?.inputs = nil }
  }

  /// Notes one more sender; if there are too many, forgets those whose last messages are the oldest.
  private mutating func addSender() {
    senders += 1
    guard senders > KeyProgress.senderLimit + 1_000 else { return }
    let idle = entries.compactMap { key, entry in
      entry.inputs == nil && KeyProgress.isMessage(key)
        ? entry.progress.map { (key: key, version: $0.version) } : nil
    }
    let oldest = idle.sorted { $0.version < $1.version }.prefix(1_000)
    for (key, _) in oldest { entries[key] = nil }
    senders -= oldest.count
  }

  private mutating func forget(olderThan time: Duration) {
    while let oldest = processedKeys.first, oldest.time <= time { forgetOldest() }
  }

  private mutating func forgetOldest() {
    entries[processedKeys.removeFirst().key] = nil
  }
}

/// A key as a request brings it.
package struct RequestKey: Sendable {
  package let name: String
  /// The digest of the body; of a stream, that of its first Input.
  package let digest: [UInt8]
  /// The numbers of the body's Inputs among those of a stream, whose parts have one key; nil if the body is all.
  package let part: Range<Int>?

  package init(_ name: String, digest: [UInt8], part: Range<Int>? = nil) {
    self.name = name
    self.digest = digest
    self.part = part
  }
}

extension RequestKey {
  /// Creates the key of a message, by which its receiver remembers one number for each sender; nil for any other key.
  package init?(message key: String) {
    guard let dot = key.lastIndex(of: "."), let number = Int64(key[key.index(after: dot)...]) else {
      return nil
    }
    self.init(KeyProgress.messageMark + key[..<dot], digest: KeyProgress.digest(of: number))
  }
}
