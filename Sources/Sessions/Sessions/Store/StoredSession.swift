/// A session as a store keeps it.
package struct StoredSession: Sendable, Equatable {
  package var id: SessionID
  package var viewModel: String
  /// The parameters of the session's creation, as JSON; empty if there were none.
  package var parameters: [UInt8]
  /// The id of the identity that the session belongs to; nil if it belongs to nobody.
  package var identity: String?
  /// The creator of a session that belongs to nobody: see ``SessionOrigin/creator``.
  package var creator: String?
  /// The name; nil if the session has none.
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
  /// The crashes of processes at its work; nil if there were none.
  package var crashes: CrashRecord?

  package var origin: SessionOrigin {
    SessionOrigin(identity: identity, creator: creator, viewModel: viewModel)
  }

  package init(
    id: SessionID,
    viewModel: String,
    parameters: [UInt8] = [],
    identity: String? = nil,
    creator: String? = nil,
    name: String? = nil,
    created: WallTime,
    used: WallTime,
    head: StoredHead,
    entries: [LogEntry] = [],
    keys: [KeyProgress] = [],
    alarms: [StoredAlarm] = [],
    crashes: CrashRecord? = nil
  ) {
    self.id = id
    self.viewModel = viewModel
    self.parameters = parameters
    self.identity = identity
    self.creator = creator
    self.name = name
    self.created = created
    self.used = used
    self.head = head
    self.entries = entries
    self.keys = keys
    self.alarms = alarms
    self.crashes = crashes
  }

  /// The number of the newest entry; 0 if there never was one.
  package var sequence: Int { entries.last?.sequence ?? head.sequence }

  /// The names of the work that was running when the session was last stored.
  package var running: [String] {
    get throws(StoreError) {
      var names = head.running
      for entry in entries { try entry.running.apply(to: &names) }
      return names
    }
  }

  /// Whether work was running when the session was last stored.
  package var isAtWork: Bool {
    entries.last.map { !$0.running.isEmpty } ?? !head.running.isEmpty
  }
}

/// A session's State in whole.
package struct StoredHead: Sendable, Equatable {
  /// The number of the entry after which State was so; 0 before the first.
  package var sequence: Int
  package var version: Int
  /// The view model's number for the shape of its State.
  package var format: Int
  /// The State as JSON.
  package var state: [UInt8]
  /// The names of the work that was running.
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

/// A turn's outcome and its causes.
package struct LogEntry: Sendable, Equatable {
  /// The entry's number: one more than the number of the session's entry before.
  package var sequence: Int
  /// The version that is current after it.
  package var version: Int
  package var time: WallTime
  package var outcome: Outcome
  package var running: RunningNames
  /// The Inputs and Actions that led to it: JSON, an object a line; may be empty.
  package var trace: [UInt8]
  /// The progress of the key that the Input came with, where it came with one.
  package var key: KeyProgress?

  package enum Outcome: Sendable, Equatable {
    /// State did not change.
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
    running: RunningNames = [],
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
  /// The approximate bytes of an entry without the members that can grow.
  private static let leastSize = 64

  /// The approximate bytes of the entry.
  package var size: Int {
    running.listed.reduce(Self.leastSize + outcome.bytes.count + trace.count) { $0 + $1.utf8.count }
      + (key?.key.utf8.count ?? 0)
  }
}

/// The names of the work that was running when an entry was stored.
///
/// Where many effects run, a turn changes few of their names, and its entry has only these. Not where it has the State
/// in whole: reading may begin there.
package enum RunningNames: Sendable, Equatable, ExpressibleByArrayLiteral {
  case all([String])
  /// The names of the entry before, with others in place of some; never none.
  case changed(Range<Int>, to: [String])

  /// The fewest names of which only changes are stored.
  static let many = 64

  package init(arrayLiteral names: String...) { self = .all(names) }

  /// Creates the names of an entry, given those of the entry before.
  package init(_ names: [String], after old: [String]) {
    let shorter = min(names.count, old.count)
    guard shorter >= Self.many else {
      self = .all(names)
      return
    }
    // Many turns leave the very same array.
    var (start, end) = (names == old ? shorter : 0, 0)
    while start < shorter, names[start] == old[start] { start += 1 }
    while end < shorter - start, names[names.count - 1 - end] == old[old.count - 1 - end] {
      end += 1
    }
    self = .changed(start..<old.count - end, to: Array(names[start..<names.count - end]))
  }

  package var isEmpty: Bool { self == [] }

  /// Whether these are all names, not changes.
  package var isWhole: Bool { if case .all = self { true } else { false } }

  /// Turns the names of the entry before into those of this one.
  package func apply(to names: inout [String]) throws(StoreError) {
    switch self {
    case .all(let all): names = all
    case .changed(let range, let some):
      guard range.upperBound <= names.count else {
        throw .damaged("the names of what runs do not fit those before")
      }
      names.replaceSubrange(range, with: some)
    }
  }
}

/// Names as stores keep them.
extension RunningNames {
  /// Creates the names from what a store has kept; nil if that is not a list of them.
  ///
  /// `kind` is that of the entry: see ``LogEntry/kind``.
  package init?(kind: some BinaryInteger, _ bytes: [UInt8]) {
    guard let listed = NameList.names(bytes) else { return nil }
    guard Int(kind) & LogEntry.changedNames != 0 else {
      self = .all(listed)
      return
    }
    guard listed.count >= 2, let start = Int(listed[0]), let end = Int(listed[1]),
      0 <= start, start <= end
    else { return nil }
    self = .changed(start..<end, to: Array(listed[2...]))
  }

  package var bytes: [UInt8] { NameList.bytes(listed) }

  /// The names, behind the bounds of the range if there is one.
  fileprivate var listed: [String] {
    switch self {
    case .all(let names): names
    case .changed(let range, let names): ["\(range.lowerBound)", "\(range.upperBound)"] + names
    }
  }
}

extension LogEntry {
  /// A bit of ``kind``.
  fileprivate static let changedNames = 4

  /// The number of the outcome's case, plus 4 if the entry has only changes of the names: a build that does not know
  /// these refuses to read the entry.
  package var kind: UInt8 {
    running.isWhole ? outcome.kind : outcome.kind | UInt8(Self.changedNames)
  }
}

/// An outcome as stores keep it.
extension LogEntry.Outcome {
  /// Creates an outcome from its entry's ``LogEntry/kind`` and bytes that a store has kept; nil for an unknown
  /// number.
  package init?(kind: some BinaryInteger, _ bytes: [UInt8]) {
    switch Int(kind) & ~LogEntry.changedNames {
    case 0: self = .unchanged
    case 1: self = .state(bytes)
    case 2: self = .patch(bytes)
    default: return nil
    }
  }

  /// The number of the case.
  fileprivate var kind: UInt8 {
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
    var bytes: [UInt8] = []
    for name in names {
      bytes += "\(name.utf8.count):".utf8
      bytes += name.utf8
    }
    return bytes
  }

  /// Parses a text; returns nil if it is not a list of names.
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
