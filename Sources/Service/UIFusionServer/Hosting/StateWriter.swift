import FusionSessions
import FusionStrictJSON
import Synchronization
import UIFusionKit

/// An encoder of one session's States as JSON.
///
/// Keeps the text of a long State, to copy unchanged parts into the next.
final class StateWriter<State: Encodable & Sendable>: Sendable {
  /// The size in bytes from which on comparing costs less than encoding anew.
  private static var long: Int { 4 << 10 }

  private let length: SizeHint
  private let limit: Int
  private let unfit: @Sendable (InvalidState) -> Void
  private let last = Mutex<WrittenLists?>(nil)

  init(_ length: SizeHint, limit: Int, unfit: @escaping @Sendable (InvalidState) -> Void) {
    self.length = length
    self.limit = limit
    self.unfit = unfit
  }

  /// ``encoded(_:)`` as a function.
  ///
  /// A closure over the writer alone needs no allocation of its own.
  var encode: @Sendable (_ state: State) -> any RenderedState { { self.encoded($0) } }

  /// Encodes a State; reports one that is too large or cannot be written, and marks the result.
  func encoded(_ state: State) -> any RenderedState {
    do {
      let ((text, copied), pulses) = try PulseCounts.of { try write(state, restart: $0) }
      let fault = text.count > limit ? InvalidState.tooLarge(limit: limit) : nil
      if let fault { unfit(fault) } else { length.note(text.count) }
      return EncodedState(text, copied: copied, pulses: pulses, unfit: fault)
    } catch {
      let fault = InvalidState(writing: error)
      unfit(fault)
      return EncodedState(Array("null".utf8), unfit: fault)
    }
  }

  private func write(_ state: State, restart: () -> Void) throws -> (text: [UInt8], copied: Int) {
    let (last, capacity) = (last.withLock { $0 }, length.capacity)
    guard last != nil || capacity >= Self.long else {
      return (try StrictJSON.encode(state, capacity: capacity, restart: restart), 0)
    }
    let (text, lists) = try StrictJSON.encode(
      state,
      after: last,
      capacity: capacity,
      restart: restart,
      notes: { PulseCounts.soFar }
    )
    // A State that is too large is not kept either.
    let isKept = text.count >= Self.long && text.count <= limit
    self.last.withLock { $0 = isKept ? lists : nil }
    return (text, lists?.copied ?? 0)
  }
}

extension InvalidState {
  fileprivate init(writing error: any Error) {
    guard case EncodingError.invalidValue(_, let context) = error else {
      self = .notWritable(member: nil, reason: "\(error)")
      return
    }
    let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
    self = .notWritable(
      member: path.isEmpty ? nil : path.joined(separator: "."),
      reason: context.debugDescription
    )
  }
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
