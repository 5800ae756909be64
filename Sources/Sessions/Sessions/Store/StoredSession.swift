/// A session as a store keeps it.
package struct StoredSession: Sendable, Equatable {
  package var id: SessionID
  package var viewModel: String
  /// The parameters of the session's creation, as JSON; empty where there were none.
  package var parameters: [UInt8]
  /// The id of the identity that the session belongs to; nil if anyone with the id may use it.
  package var identity: String?
  /// The name; nil where the session has none.
  package var name: String?
  package var created: WallTime
  /// The time of the last use or work.
  package var used: WallTime
  /// The State from which reading begins.
  package var head: StoredHead
  /// The entries after the head, in order.
  package var entries: [LogEntry]
  /// The keys that are kept for repetitions, oldest first; those of `entries` among them.
  package var keys: [KeyProgress]
  /// The alarms that are set, in order.
  package var alarms: [StoredAlarm]

  package init(
    id: SessionID,
    viewModel: String,
    parameters: [UInt8] = [],
    identity: String? = nil,
    name: String? = nil,
    created: WallTime,
    used: WallTime,
    head: StoredHead,
    entries: [LogEntry] = [],
    keys: [KeyProgress] = [],
    alarms: [StoredAlarm] = []
  ) {
    self.id = id
    self.viewModel = viewModel
    self.parameters = parameters
    self.identity = identity
    self.name = name
    self.created = created
    self.used = used
    self.head = head
    self.entries = entries
    self.keys = keys
    self.alarms = alarms
  }

  /// The number of the newest entry; 0 where there never was one.
  package var sequence: Int { entries.last?.sequence ?? head.sequence }

  /// The names of the work that was running when the session was last stored.
  package var running: [String] { entries.last?.running ?? head.running }
}

/// A session's State in whole.
package struct StoredHead: Sendable, Equatable {
  /// The entry after which it was so; 0 before the first.
  package var sequence: Int
  package var version: Int
  /// The view model's number for the shape of its State.
  package var format: Int
  /// The State as JSON.
  package var state: [UInt8]
  /// The names of what was running.
  package var running: [String]

  package init(
    sequence: Int,
    version: Int,
    format: Int,
    state: [UInt8],
    running: [String] = []
  ) {
    self.sequence = sequence
    self.version = version
    self.format = format
    self.state = state
    self.running = running
  }
}

/// A turn's outcome, and what led to it.
package struct LogEntry: Sendable, Equatable {
  /// The entry's number: one more than the number of the session's entry before.
  package var sequence: Int
  /// The version that is current after it.
  package var version: Int
  package var time: WallTime
  package var outcome: Outcome
  /// The names of what was running when State was stored.
  package var running: [String]
  /// The Inputs and Actions that led to it: JSON, an object a line; may be empty.
  package var trace: [UInt8]
  /// The progress of the key that the Input came with, where it came with one.
  package var key: KeyProgress?

  package enum Outcome: Sendable, Equatable {
    /// State is as it was.
    case unchanged
    /// The State in whole, as JSON.
    case state([UInt8])
    /// The change of the State before, as a JSON Patch (RFC 6902).
    case patch([UInt8])
  }

  package init(
    sequence: Int,
    version: Int,
    time: WallTime,
    outcome: Outcome,
    running: [String] = [],
    trace: [UInt8] = [],
    key: KeyProgress? = nil
  ) {
    self.sequence = sequence
    self.version = version
    self.time = time
    self.outcome = outcome
    self.running = running
    self.trace = trace
    self.key = key
  }
}

extension LogEntry {
  /// About the bytes that an entry takes beside the members that can grow.
  private static let leastSize = 64

  /// About the bytes that the entry takes.
  package var size: Int {
    running.reduce(Self.leastSize + outcome.bytes.count + trace.count) { $0 + $1.utf8.count }
      + (key?.key.utf8.count ?? 0)
  }
}

/// An outcome as stores keep it.
extension LogEntry.Outcome {
  /// Creates an outcome from a number and bytes that a store has kept; nil where the number stands for none.
  package init?(kind: some BinaryInteger, _ bytes: [UInt8]) {
    switch kind {
    case 0: self = .unchanged
    case 1: self = .state(bytes)
    case 2: self = .patch(bytes)
    default: return nil
    }
  }

  /// The number of the case.
  package var kind: UInt8 {
    switch self {
    case .unchanged: 0
    case .state: 1
    case .patch: 2
    }
  }

  package var bytes: [UInt8] {
    switch self {
    case .unchanged: []
    case .state(let bytes), .patch(let bytes): bytes
    }
  }
}

/// Names in one text, as stores keep them: netstrings without the commas, "4:load6:search".
package enum NameList {
  package static func bytes(_ names: [String]) -> [UInt8] {
    names.flatMap { Array("\($0.utf8.count):\($0)".utf8) }
  }

  /// Parses a text; returns nil where it is not a list of names.
  package static func names(_ bytes: [UInt8]) -> [String]? {
    var names: [String] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      guard
        let colon = rest.firstIndex(of: UInt8(ascii: ":")),
        let count = Int(String(decoding: rest[..<colon], as: UTF8.self)),
        count >= 0, count < rest.endIndex - colon
      else { return nil }
      rest = rest[(colon + 1)...]
      names.append(String(decoding: rest.prefix(count), as: UTF8.self))
      rest = rest.dropFirst(count)
    }
    return names
  }
}
