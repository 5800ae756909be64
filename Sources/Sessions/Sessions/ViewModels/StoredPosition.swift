package import UIFusionKit

/// The position at which a stored session goes on.
///
/// A class, to cost one word in a session that was never stored.
final class StoredPosition: Sendable {
  /// The number of the newest entry.
  let sequence: Int
  /// The number of the entry after which State is stored in whole.
  let head: Int
  /// The bytes of the entries after that.
  let bytesAfterHead: Int
  let version: Int
  let format: Int
  /// The State as JSON.
  let state: [UInt8]
  /// The names of the work that was running.
  let running: [String]
  let alarms: [StoredAlarm]

  /// The name among ``running`` of a new view model's first work, until that is stored.
  static let start = "start"

  var beginning: Launch {
    running == [Self.start] ? .started : .restored(Interrupted(running))
  }

  init(
    sequence: Int,
    head: Int,
    bytesAfterHead: Int,
    version: Int,
    format: Int,
    state: [UInt8],
    running: [String],
    alarms: [StoredAlarm] = []
  ) {
    self.sequence = sequence
    self.head = head
    self.bytesAfterHead = bytesAfterHead
    self.version = version
    self.format = format
    self.state = state
    self.running = running
    self.alarms = alarms
  }
}

extension HostedViewModel {
  /// Returns the members in which the newest stored State of a session differs from its current type.
  ///
  /// - Throws: An error if the State cannot be read.
  package func changes(
    in stored: StoredSession,
    dropsMembers: Bool = false,
    _ dependencies: Dependencies
  ) throws -> StateChanges {
    try changes(start(of: stored, at: position(of: stored)), dropsMembers, dependencies)
  }

  /// Returns a stored session without its history, with its newest State as it is stored today.
  ///
  /// - Throws: An error if the State cannot be read.
  package func rewritten(
    _ stored: StoredSession,
    dropsMembers: Bool,
    _ dependencies: Dependencies
  ) throws -> StoredSession {
    let position = try position(of: stored)
    var session = stored
    session.head = StoredHead(
      sequence: position.sequence,
      version: position.version,
      format: format,
      state: try rewrite(start(of: stored, at: position), dropsMembers, dependencies),
      running: position.running
    )
    session.entries = []
    return session
  }

  /// Returns the State with which a stored session goes on.
  func start(of stored: StoredSession, at position: StoredPosition) -> Start {
    .stored(
      parameters: stored.parameters,
      state: position.state,
      format: position.format,
      version: position.version
    )
  }

  /// Reads a session's head and what came after it.
  func position(of stored: StoredSession) throws -> StoredPosition {
    StoredPosition(
      sequence: stored.sequence,
      head: stored.head.sequence,
      bytesAfterHead: stored.entries.reduce(0) { $0 + $1.size },
      version: stored.entries.last?.version ?? stored.head.version,
      format: stored.head.format,
      state: try patches.apply(stored.entries.map(\.outcome), to: stored.head.state),
      running: try stored.running,
      alarms: stored.alarms
    )
  }
}
