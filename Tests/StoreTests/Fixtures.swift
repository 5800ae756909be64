import FusionSessions

extension SessionStore {
  /// Commits a change and waits for the result.
  @discardableResult
  func commit(_ change: StoreChange) async -> StoreError? {
    await withCheckedContinuation { continuation in
      commit(change) { continuation.resume(returning: $0) }
    }
  }

  func load(_ id: SessionID) async throws -> StoredSession? {
    try await withCheckedContinuation { continuation in
      load(id) { continuation.resume(returning: $0) }
    }.get()
  }
}

extension SessionStore {
  /// Returns the alarms that are due by a second, in all pages.
  func alarms(dueBy second: Int64) async throws -> [DueAlarms.Item] {
    var (found, last): ([DueAlarms.Item], DueAlarms.Item?) = ([], nil)
    repeat {
      let page = try await withCheckedContinuation { [last] continuation in
        alarms(dueBy: .seconds(second), after: last) { continuation.resume(returning: $0) }
      }.get()
      found += page.alarms
      last = page.next
    } while last != nil
    return found
  }
}

extension StoredAlarm {
  /// Creates an alarm that is due at a second.
  static func named(_ name: String, _ second: Int64) -> StoredAlarm {
    StoredAlarm(Array(name.utf8), at: .seconds(second), Array(#"{"ring":"\#(name)"}"#.utf8))
  }
}

extension StoreChange {
  /// Returns a change of alarms, with the entry of its turn.
  static func alarms(
    of number: UInt64,
    _ sequence: Int,
    set: [StoredAlarm] = [],
    cancel: [String] = []
  ) -> StoreChange {
    var append = Append(.number(number), after: sequence - 1, [.number(sequence)])
    for alarm in set { append.alarms.updateValue(alarm, forKey: alarm.name) }
    for name in cancel { append.alarms.updateValue(nil, forKey: Array(name.utf8)) }
    return .append(append)
  }
}

extension SessionID {
  /// Returns the id of a test's n-th session.
  static func number(_ number: UInt64) -> SessionID {
    SessionID(high: 0x8000_0000_0000_0000 | number, low: number << 60 | 7)
  }
}

extension WallTime {
  static func seconds(_ seconds: Int64) -> WallTime {
    WallTime(milliseconds: 1_800_000_000_000 + 1000 * seconds)
  }
}

extension StoredSession {
  /// Returns a counter that has just been created.
  static func new(_ number: UInt64, at time: WallTime = .seconds(0)) -> StoredSession {
    StoredSession(
      id: .number(number),
      viewModel: "counter",
      parameters: Array(#"{"from":0}"#.utf8),
      created: time,
      used: time,
      head: .after(0)
    )
  }

  /// Returns the session after entries without a new head.
  func with(_ entries: [LogEntry]) -> StoredSession {
    var session = self
    session.entries += entries
    session.keys += entries.compactMap(\.key)
    session.used = entries.reduce(used) { max($0, $1.time) }
    return session
  }
}

extension StoredHead {
  static func after(_ sequence: Int, running: [String] = []) -> StoredHead {
    StoredHead(
      sequence: sequence,
      version: sequence + 1,
      format: 1,
      state: Array(#"{"count":\#(sequence)}"#.utf8),
      running: running
    )
  }
}

extension LogEntry {
  /// Returns an entry with running work.
  static func running(_ sequence: Int) -> LogEntry {
    var entry = number(sequence)
    entry.running = ["load"]
    return entry
  }

  /// Returns an entry one second after the entry before it.
  static func number(_ sequence: Int, key: String? = nil) -> LogEntry {
    let state = Array(#"{"count":\#(sequence)}"#.utf8)
    return LogEntry(
      sequence: sequence,
      version: sequence + 1,
      time: .seconds(Int64(sequence)),
      outcome: .state(state),
      trace: Array(#"{"input":"increase"}"#.utf8),
      key: key.map { .to($0, sequence) }
    )
  }
}

extension KeyProgress {
  static func to(_ key: String, _ sequence: Int) -> KeyProgress {
    KeyProgress(
      key: key,
      digest: [UInt8](repeating: UInt8(truncatingIfNeeded: sequence), count: 32),
      answer: .full,
      processed: 1,
      count: 1,
      version: sequence + 1,
      time: .seconds(Int64(sequence))
    )
  }
}

extension StoreChange {
  static func append(
    to number: UInt64,
    _ sequences: ClosedRange<Int>,
    keys: Bool = false,
    head: StoredHead? = nil
  ) -> StoreChange {
    .append(
      Append(
        .number(number),
        after: sequences.lowerBound - 1,
        sequences.map { .number($0, key: keys ? "key \($0)" : nil) },
        head: head
      )
    )
  }
}
