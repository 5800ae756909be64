import FusionSessions
import FusionStrictJSON

/// The past from which a session goes on: another one's, or its own to which it was taken back.
struct Origin {
  /// The State from which it goes on.
  let kept: ShownState
  /// What its lists had come to by then; of a fork, nothing.
  private let before: ShownState?
  /// The numbers of which that State knows neither that they rang nor that they were cancelled, and whose alarm is not
  /// set.
  let silent: Set<Int>

  init(_ kept: ShownState, before: ShownState? = nil, _ alarms: [StoredAlarm]) {
    (self.kept, self.before) = (kept, before)
    let waiting = Set(kept.items).subtracting(kept.rung ?? []).subtracting(kept.cancelled ?? [])
    silent = waiting.filter { number in
      !alarms.contains { $0.name == Array("\(number)".utf8) }
    }
  }

  /// The numbers that it has from there, done or begun.
  var numbers: [Int] {
    kept.numbers + (kept.waiting ?? []) + (kept.pending.map { [$0] } ?? [])
  }

  /// Returns a State with all that the session itself has passed on and got, as others know of it.
  func whole(_ state: ShownState) -> ShownState {
    var whole = state
    whole.passed = joined(\.passed, state)
    whole.got = joined(\.got, state)
    whole.refused = joined(\.refused, state)
    return whole
  }

  private func joined<Item>(
    _ list: KeyPath<ShownState, [Item]?>,
    _ state: ShownState
  ) -> [Item] {
    (before?[keyPath: list] ?? [])
      + (state[keyPath: list] ?? []).dropFirst(kept[keyPath: list]?.count ?? 0)
  }
}

extension ShownState {
  /// Reads a stored State; nil where it cannot be read.
  init?(_ state: [UInt8]?) {
    guard let state, let root = try? JSONDocument(state).root,
      let shown = try? root.decode(ShownState.self)
    else { return nil }
    self = shown
  }
}

extension [LogEntry] {
  /// The log as a store reads it that gives each entry what the one before has led to.
  var misread: [LogEntry] {
    zip(dropFirst(), self).map { entry, before in
      var entry = entry
      entry.outcome = before.outcome
      return entry
    }
  }
}
