import FoundationEssentials
import FusionCommandLine
import FusionPostgreSQLSessions
import FusionSQLiteSessions
import FusionSessions
import FusionStrictJSON
import UIFusionServer

/// The result of taking sessions back to a point of their history.
struct Recovery {
  /// The number of sessions that have a new version.
  var recovered = 0
  /// The number of sessions that have not changed since.
  var unchanged = 0
  /// The sessions that were created later.
  var later: [SessionID] = []
  /// The sessions whose history does not reach back.
  var lost: [SessionID] = []
  /// The sessions whose log cannot be read.
  var damaged: [SessionID] = []
  fileprivate let time = WallTime.now
  /// The name of the user who runs the tool, as a literal of JSON; nil if the system has none.
  fileprivate let user = Recovery.userName.map { name in
    var literal: [UInt8] = []
    literal.appendLiteral(name)
    return literal
  }

  private static var userName: String? {
    let process = ProcessInfo.processInfo
    let name = process.environment["SUDO_USER"] ?? process.userName
    return name.isEmpty ? nil : name
  }

  /// Counts a session; returns the append that takes it back, if one does.
  mutating func append(
    _ session: StoredSession,
    _ log: [LogEntry],
    to point: HistoryPoint
  ) -> StoreChange.Append? {
    if case .time(let time) = point, session.created > time {
      later.append(session.id)
      return nil
    }
    guard let lookup = try? PastLookup(session, log: log, at: point, .json) else {
      damaged.append(session.id)
      return nil
    }
    guard case .found(let past) = lookup else {
      lost.append(session.id)
      return nil
    }
    let append = past.recovery(at: time, by: user)
    if append == nil { unchanged += 1 } else { recovered += 1 }
    return append
  }
}

extension StoreLocation {
  /// Takes one session, or each, back to a point of its history, as a new version on top.
  ///
  /// - Throws: ``CommandError``, which says whether anything was changed.
  func recover(_ id: SessionID?, to point: HistoryPoint) throws -> Recovery {
    var recovery = Recovery()
    switch storage {
    case .memory: throw Self.memory
    case .folder(let path):
      // Opening a missing folder for writing would create it.
      try read { _ in }
      try write(in: path) { store in
        var commits = Commits(to: store)
        do {
          try each(id, in: try SQLiteSessionArchive(folder: path)) { session, log in
            guard let append = recovery.append(session, log, to: point) else { return }
            try commits.add(append)
          }
          try commits.finish()
        } catch {
          let text = (error as? StoreError)?.text ?? "\(error)"
          throw CommandError("at least \(commits.count) sessions were recovered: \(text)")
        }
      }
    case .postgresql(let string):
      var result = "nothing was recovered"
      do {
        try explaining("write") {
          let archive = try PostgreSQLSessionArchive(string)
          if id == nil, let node = try archive.livingNodes().first {
            throw CommandError(
              "node \(node.number) (\(node.name)) is at work: stop all nodes first"
            )
          }
          do {
            try archive.appending { append in
              let reader = try PostgreSQLSessionArchive(string, onlyToRead: true)
              try each(id, in: reader) { session, log in
                guard let change = recovery.append(session, log, to: point) else { return }
                try settle(append(change), session.id)
              }
            }
          } catch StoreError.inDoubt {
            result = "either all sessions were recovered or none, which is not known"
            throw StoreError.inDoubt
          }
        }
      } catch let error as CommandError {
        throw CommandError("\(result): \(error)")
      }
    }
    return recovery
  }

  /// Calls a function with one session and its log, or with each.
  private func each(
    _ id: SessionID?,
    in archive: any SessionArchive,
    _ body: (StoredSession, [LogEntry]) throws -> Void
  ) throws {
    guard let id else {
      return try archive.read { _ in
      } _: { _, session, log in
        try body(session, log)
      }
    }
    guard let (session, log) = try archive.history(of: id) else { throw unknown(id) }
    try body(session, log)
  }
}

/// Appends to a folder's sessions, of which few wait in memory.
private struct Commits {
  private static let waitingBytes = 16 << 20

  private let store: SQLiteSessionStore
  private var waiting: [StoreChange] = []
  private var bytes = 0
  /// The number of appends that are committed.
  private(set) var count = 0

  init(to store: SQLiteSessionStore) { self.store = store }

  mutating func add(_ append: StoreChange.Append) throws {
    waiting.append(.append(append))
    bytes += append.head?.state.count ?? 0
    if bytes > Self.waitingBytes { try finish() }
  }

  /// Commits what waits; throws the first error.
  mutating func finish() throws {
    let errors = store.perform(waiting)
    (waiting, bytes) = ([], 0)
    count += errors.count { $0 == nil }
    if let error = errors.compactMap(\.self).first { throw error }
  }
}
