import FusionSessions
import FusionStrictJSON
import Synchronization
import UIFusionKit

/// An encoder of one session's States as JSON.
///
/// Keeps the long lists of a long State, whose unchanged pieces the next one shares. A State is written twice only if
/// clients do not get what is stored.
final class StateWriter<State: Encodable & Sendable>: Sendable {
  /// The size in bytes from which on comparing costs less than encoding anew.
  private static var long: Int { 4 << 10 }

  private let sizes: SizeHints
  private let limit: Int
  private let invalid: @Sendable (InvalidState) -> Void
  /// The parts of the last written State that the next one needs.
  private let last = Mutex(LastState())

  init(_ sizes: SizeHints, limit: Int, invalid: @escaping @Sendable (InvalidState) -> Void) {
    self.sizes = sizes
    self.limit = limit
    self.invalid = invalid
  }

  /// ``encoded(_:)`` as a function.
  ///
  /// A closure over the writer alone needs no allocation of its own.
  var encode: @Sendable (_ state: State) -> any RenderedState { { self.encoded($0) } }

  /// Encodes a State; reports one that is too large or cannot be written, and marks the result.
  func encoded(_ state: State) -> any RenderedState {
    var isShown = false
    do {
      let last = last.withLock { $0 }
      let (shown, pulses) = try PulseCounts.of {
        try write(state, for: .clients, after: last.shown, restart: $0)
      }
      isShown = true
      let unshown = shown.isAsStored ? nil : try write(state, for: .store, after: last.stored)
      // After a turn of much work another one is likely, though perhaps not at once.
      let work = max(shown.work, unshown?.work ?? 0, last.work / 2)
      self.last.withLock {
        $0 = LastState(shown: kept(shown), stored: unshown.flatMap(kept), work: work)
      }
      let fault =
        max(shown.text.count, unshown?.text.count ?? 0) > limit
        ? InvalidState.tooLarge(limit: limit) : nil
      if let fault {
        invalid(fault)
      } else {
        sizes.shown.note(shown.text.count)
        if let unshown { sizes.stored.note(unshown.text.count) }
      }
      return EncodedState(
        shown.text,
        separateStoredText: unshown?.text,
        work: work,
        pulses: pulses,
        invalid: fault
      )
    } catch {
      // Clients are not told the name of a private member.
      let fault = InvalidState(writing: error, namesMember: !isShown)
      invalid(fault)
      return EncodedState(Array("null".utf8), invalid: fault)
    }
  }

  private func write(
    _ state: State,
    for audience: Audience,
    after last: WrittenLists?,
    restart: () -> Void = {}
  ) throws -> StrictJSON.Written {
    let capacity = (audience == .store ? sizes.stored : sizes.shown).capacity
    return try StrictJSON.encode(
      state,
      for: audience,
      after: last,
      isLong: capacity >= Self.long,
      capacity: capacity,
      restart: restart,
      notes: { PulseCounts.soFar }
    )
  }

  /// Returns the lists of a text to copy from, if it is long and not too large.
  private func kept(_ written: StrictJSON.Written) -> WrittenLists? {
    let size = written.text.count
    return size >= Self.long && size <= limit ? written.lists : nil
  }
}

// Not nested in `StateWriter`: Swift would look up a generic type's metadata for each State.
/// The parts of a written State that the next one needs.
private struct LastState {
  /// The long lists of what clients get, and of what is stored.
  var shown: WrittenLists?
  var stored: WrittenLists?
  var work = 0
}

extension StrictJSON.Written {
  /// The number of bytes that were written, not shared with the previous text.
  fileprivate var work: Int { text.count - (lists?.shared ?? 0) }
}

extension InvalidState {
  fileprivate init(writing error: any Error, namesMember: Bool) {
    guard case EncodingError.invalidValue(_, let context) = error else {
      self = .notWritable(member: nil, reason: "\(error)")
      return
    }
    let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
    self = .notWritable(
      member: path.isEmpty || !namesMember ? nil : path.joined(separator: "."),
      reason: context.debugDescription
    )
  }
}

/// The expected sizes of a view model's States, as clients get them and, if that differs, as they are stored.
final class SizeHints: Sendable {
  let shown = SizeHint()
  let stored = SizeHint()
}

/// The expected size of a view model's States as JSON, by the newest one.
///
/// Each session keeps the text of its current State, so the text gets little more room than it needs.
final class SizeHint: Sendable {
  private let length = Atomic(64)

  /// The capacity for a State that is a little longer.
  var capacity: Int { length.load(ordering: .relaxed) + 8 }

  /// Notes the size of a State.
  func note(_ count: Int) {
    // A store that is not needed would take the cache line from other processors.
    if count != length.load(ordering: .relaxed) { length.store(count, ordering: .relaxed) }
  }
}
