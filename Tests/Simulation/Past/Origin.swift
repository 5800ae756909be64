import FusionSessions
import FusionStrictJSON

/// The past that a session continues: another session's, or its own after a recovery.
struct Origin {
  /// The State that the session continues.
  let kept: ShownState
  /// The session's State before a recovery; nil for a fork.
  private let before: ShownState?
  /// The numbers that have neither rung nor been cancelled in that State, and whose alarm is not set.
  let silent: Set<Int>

  init(_ kept: ShownState, before: ShownState? = nil, _ alarms: [StoredAlarm]) {
    (self.kept, self.before) = (kept, before)
    let waiting = Set(kept.items).subtracting(kept.rung ?? []).subtracting(kept.cancelled ?? [])
    silent = waiting.filter { number in
      !alarms.contains { $0.name == Array("\(number)".utf8) }
    }
  }

  /// The numbers, done or begun, that come from the past.
  var numbers: [Int] {
    kept.numbers + (kept.waiting ?? []) + (kept.pending.map { [$0] } ?? [])
  }

  /// Returns a State with all messages that the session itself has sent and received, as other sessions know
  /// them.
  func whole(_ state: ShownState) -> ShownState {
    var whole = state
    whole.passed = joined(\.passed, state)
    whole.got = joined(\.got, state)
    whole.refused = joined(\.refused, state)
    whole.thanks = joined(\.thanks, state)
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
  /// Reads a stored State; nil if it is unreadable.
  init?(_ state: [UInt8]?) {
    guard let state, let root = try? JSONDocument(state).root,
      let shown = try? root.decode(ShownState.self)
    else { return nil }
    self = shown
  }
}

extension [LogEntry] {
  /// The log with the outcome of each entry replaced by that of the entry before.
  var misread: [LogEntry] {
    zip(dropFirst(), self).map { entry, before in
      var entry = entry
      entry.outcome = before.outcome
      return entry
    }
  }
}
