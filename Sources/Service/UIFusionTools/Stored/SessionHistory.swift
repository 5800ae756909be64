import FusionSessions
import FusionStrictJSON
import UIFusionServer

/// A stored session with its States from the oldest entry on that is kept.
struct SessionHistory {
  /// An entry with the State after it.
  struct Step: Sendable {
    let entry: LogEntry
    /// The State as JSON; nil for a patch to a State that is not kept any more.
    let state: [UInt8]?
    /// The names of running work; nil for changes to the names of an entry that is not kept any more.
    let running: [String]?
    /// The format number of the State.
    let format: Int

    var changesState: Bool { entry.outcome != .unchanged }

    var trace: [TraceLine] { TraceLine.lines(of: entry.trace) }
  }

  let session: StoredSession
  /// The names of the work that was running.
  let running: [String]
  /// The State before the first step; nil if it is not kept any more.
  let start: StoredHead?
  let steps: [Step]

  /// Joins a session and its log, which may have been read later.
  ///
  /// Throws if a patch does not apply.
  init(_ session: StoredSession, log: [LogEntry]) throws {
    self.session = session
    self.running = try session.running
    let head = session.head
    var past = Self.past(of: head, in: log)
    var start = past.isEmpty ? head : nil
    let formats = Self.formats(of: past + session.entries, last: head.format)
    if let first = past.first, first.sequence == 0, case .state(let state) = first.outcome {
      // The State with which the session began.
      past.removeFirst()
      start = StoredHead(
        sequence: 0,
        version: first.version,
        format: formats[0],
        state: state,
        running: try first.running.names(after: nil) ?? []
      )
    }
    self.start = start
    let entries = past + session.entries
    var (state, running) = (start?.state, start?.running)
    steps = try zip(entries, formats.suffix(entries.count)).map { entry, format in
      state = try entry.outcome.state(after: state)
      running = try entry.running.names(after: running)
      if entry.sequence == head.sequence {
        (state, running) = (head.state, running ?? head.running)
      }
      return Step(entry: entry, state: state, running: running, format: format)
    }
  }

  /// Returns the entries up to the head without a gap before it.
  private static func past(of head: StoredHead, in log: [LogEntry]) -> [LogEntry] {
    var next = head.sequence
    var past: [LogEntry] = []
    for entry in log.reversed() where entry.sequence <= head.sequence {
      guard entry.sequence == next else { break }
      past.append(entry)
      next -= 1
    }
    return past.reversed()
  }

  /// Returns the format of each entry: before a migration, the format from which it migrated.
  private static func formats(of entries: [LogEntry], last: Int) -> [Int] {
    var format = last
    var formats: [Int] = []
    for entry in entries.reversed() {
      formats.append(format)
      format = TraceLine.migratedFrom(entry.trace) ?? format
    }
    return formats.reversed()
  }
}

extension RunningNames {
  /// Returns the names after the entry; nil for changes of names that are not known.
  func names(after names: [String]?) throws -> [String]? {
    if names == nil, !isWhole { return nil }
    var names = names ?? []
    try apply(to: &names)
    return names
  }
}

extension LogEntry.Outcome {
  /// Returns the State after the entry; nil for a patch to an unknown State.
  func state(after state: [UInt8]?) throws -> [UInt8]? {
    switch self {
    case .unchanged: state
    case .state(let text): text
    case .patch(let patch): try state.map { try HostedViewModel.Patches.json.apply(patch, $0) }
    }
  }
}

extension SessionHistory {
  /// The current State.
  var state: [UInt8] { steps.last?.state ?? session.head.state }

  var version: Int { steps.last?.entry.version ?? session.head.version }

  /// The session with its head moved back over the history that is complete and of one format.
  var whole: StoredSession {
    var whole = session
    let isKept = { (step: Step) in step.state != nil && step.format == session.head.format }
    if let start {
      guard start.sequence < session.head.sequence else { return session }
      if start.format == session.head.format, steps.allSatisfy(isKept) {
        (whole.head, whole.entries) = (start, steps.map(\.entry))
        return whole
      }
    }
    let first = steps.lastIndex { !isKept($0) }.map { $0 + 1 } ?? 0
    guard first < steps.count, let state = steps[first].state, let running = steps[first].running,
      steps[first].entry.sequence <= session.head.sequence
    else { return session }
    let entry = steps[first].entry
    whole.head = StoredHead(
      sequence: entry.sequence,
      version: entry.version,
      format: steps[first].format,
      state: state,
      running: running
    )
    whole.entries = steps.dropFirst(first + 1).map(\.entry)
    return whole
  }
}
