package import UIFusionKit

/// A session as it was at a point of its history.
package struct PastSession: Sendable, Equatable {
  /// The session as it is now.
  package var session: StoredSession
  /// The State then, in the format of that time, and what was running.
  package var head: StoredHead
  package var time: WallTime
}

/// The result of reading a session's past.
package enum PastLookup: Sendable, Equatable {
  case found(PastSession)
  /// There is no session by that id.
  case unknown
  /// There was no such version, or its State is not kept.
  case notKept
}

extension SessionArchive {
  /// Reads a session as it was at a point, from the nearest State before that is kept in whole.
  ///
  /// A State that needs more bytes of patches than the limit counts as not kept.
  package func past(
    _ id: SessionID,
    at point: HistoryPoint,
    _ patches: HostedViewModel.Patches,
    byteLimit: Int = 64 << 20
  ) throws -> PastLookup {
    // The session first, or the log could be older than it.
    guard let session = try load(id) else { return .unknown }
    return try past(of: session, at: point, patches, byteLimit: byteLimit)
  }

  /// Reads a session that was just loaded as it was at a point; as ``past(_:at:_:byteLimit:)`` does.
  package func past(
    of session: StoredSession,
    at point: HistoryPoint,
    _ patches: HostedViewModel.Patches,
    byteLimit: Int = 64 << 20
  ) throws -> PastLookup {
    let id = session.id
    var tail = LogTail(session.head, byteLimit: byteLimit)
    try readBack(id, from: point) { tail.add($0) }
    return try tail.lookup(session, at: point, patches) { try migrations(of: id, after: $0) }
  }
}

extension PastLookup {
  /// Finds a session as it was at a point in its log.
  ///
  /// - Throws: ``StoreError/damaged(_:)`` if a patch does not apply.
  package init(
    _ session: StoredSession,
    log: [LogEntry],
    at point: HistoryPoint,
    _ patches: HostedViewModel.Patches
  ) throws {
    var tail = LogTail(session.head, byteLimit: .max)
    for entry in log.reversed() where point.covers(entry) {
      guard tail.add(entry) else { break }
    }
    self = try tail.lookup(session, at: point, patches) { sequence in
      log.filter { $0.sequence > sequence && $0.trace.starts(with: FormatChange.prefix) }
        .map { FormatChange($0.sequence, trace: $0.trace) }
    }
  }
}

/// The newest entries up to a point, back to a State that is kept in whole.
private struct LogTail {
  let head: StoredHead
  /// The newest entry at or before the point.
  private(set) var newest: LogEntry?
  /// The changes of State after the base, newest first.
  private var steps: [LogEntry.Outcome] = []
  /// The names after each entry since one that has all names, newest first.
  private var names: [RunningNames] = []
  /// The sequence of the oldest entry after the base.
  private var oldest: Int?
  private var base: [UInt8]?
  private var bytes = 0
  private let byteLimit: Int

  init(_ head: StoredHead, byteLimit: Int) { (self.head, self.byteLimit) = (head, byteLimit) }

  /// Adds an entry that comes before the ones added; returns whether more are needed.
  mutating func add(_ entry: LogEntry) -> Bool {
    guard oldest.map({ $0 == entry.sequence + 1 }) != false, bytes <= byteLimit else {
      return false
    }
    newest = newest ?? entry
    if names.last?.isWhole != true {
      let isAtHead = entry.sequence == head.sequence && !entry.running.isWhole
      names.append(isAtHead ? .all(head.running) : entry.running)
    }
    if entry.sequence == head.sequence {
      base = head.state
    } else if case .state(let state) = entry.outcome {
      base = state
    } else {
      oldest = entry.sequence
      if case .patch(let patch) = entry.outcome {
        bytes += patch.count
        steps.append(entry.outcome)
      }
    }
    return base == nil
  }

  mutating func lookup(
    _ session: StoredSession,
    at point: HistoryPoint,
    _ patches: HostedViewModel.Patches,
    migrations: (_ after: Int) throws -> [FormatChange]
  ) throws -> PastLookup {
    guard let (base, newest) = start(of: session, at: point) else { return .notKept }
    let isNewest = newest.sequence == session.sequence
    let format = isNewest ? nil : try migrations(newest.sequence).first?.from
    let state: [UInt8]
    do {
      state = try patches.apply(steps.reversed(), to: base)
    } catch {
      throw StoreError.damaged("the log of session \(session.id) is damaged: \(error)")
    }
    var running = session.head.running
    for names in names.reversed() { try names.apply(to: &running) }
    let head = StoredHead(
      sequence: newest.sequence,
      version: newest.version,
      format: format ?? session.head.format,
      state: state,
      running: running
    )
    return .found(PastSession(session: session, head: head, time: newest.time))
  }

  /// Returns the State before ``steps``, and the newest entry; nil if the State is not kept.
  private mutating func start(of session: StoredSession, at point: HistoryPoint) -> (
    [UInt8], LogEntry
  )? {
    let head = session.head
    if newest.map({ $0.sequence < head.sequence }) ?? true, point.isAt(session.headEntry) {
      (steps, names) = ([], [])
      return (head.state, session.headEntry)
    }
    guard let newest, point.isAt(newest) else { return nil }
    let follows = oldest == head.sequence + 1
    return (base ?? (follows ? head.state : nil)).map { ($0, newest) }
  }
}

extension StoredSession {
  /// The entry that the head stands for if the log does not have it.
  package var headEntry: LogEntry {
    LogEntry(
      sequence: head.sequence,
      version: head.version,
      time: head.sequence == 0 ? created : used,
      outcome: .state(head.state),
      running: .all(head.running)
    )
  }
}

extension HistoryPoint {
  /// Whether an entry, the newest at or before the point, matches the point exactly.
  fileprivate func isAt(_ entry: LogEntry) -> Bool {
    if case .version(let version) = self { return entry.version == version }
    return covers(entry)
  }
}

extension HostedViewModel {
  /// Returns a past State as clients get it today.
  ///
  /// - Throws: An error if the State cannot be read.
  package func shown(_ past: PastSession, _ dependencies: Dependencies) throws -> [UInt8] {
    try show(
      .stored(
        parameters: past.session.parameters,
        state: past.head.state,
        format: past.head.format,
        version: past.head.version
      ),
      dependencies
    )
  }
}

extension HostedViewModel.Patches {
  /// The number of bytes of patches above which they are applied, and not joined with more.
  private static let joinedBytes = 1 << 20

  /// Returns the State after some outcomes; patches that follow one another are applied as one.
  package func apply(
    _ outcomes: some Sequence<LogEntry.Outcome>,
    to state: [UInt8]
  ) throws -> [UInt8] {
    var state = state
    var (patches, bytes): ([[UInt8]], Int) = ([], 0)
    for outcome in outcomes {
      switch outcome {
      case .unchanged: break
      case .state(let next): (state, patches, bytes) = (next, [], 0)
      case .patch(let patch):
        patches.append(patch)
        bytes += patch.count
        guard bytes > Self.joinedBytes else { continue }
        state = try apply(patches, to: state)
        (patches, bytes) = ([], 0)
      }
    }
    return try apply(patches, to: state)
  }

  private func apply(_ patches: [[UInt8]], to state: [UInt8]) throws -> [UInt8] {
    switch patches.count {
    case 0: state
    case 1: try apply(patches[0], state)
    default: try apply(Self.joined(patches), state)
    }
  }

  /// Returns one array of the operations of several.
  private static func joined(_ patches: [[UInt8]]) -> [UInt8] {
    let operations = patches.map { $0.dropFirst().dropLast() }.filter { !$0.isEmpty }
    return Array("[".utf8) + operations.joined(separator: ",".utf8) + Array("]".utf8)
  }
}
