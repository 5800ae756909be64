import UIFusionKit

/// Where a stored session goes on.
struct StoredPosition: Sendable {
  /// The number of the newest entry.
  var sequence: Int
  var version: Int
  var format: Int
  /// As JSON.
  var state: [UInt8]
  /// The names of what was running.
  var running: [String]

  /// Stands for what a new view model begins with, until that is stored.
  static let start = "start"

  var beginning: Beginning {
    running == [Self.start] ? .started : .restored(Interrupted(running))
  }
}

extension HostedViewModel {
  /// Reads a session's head and what came after it.
  func position(of stored: StoredSession) throws -> StoredPosition {
    var position = StoredPosition(
      sequence: stored.sequence,
      version: stored.head.version,
      format: stored.head.format,
      state: stored.head.state,
      running: stored.running
    )
    for entry in stored.entries {
      position.version = entry.version
      switch entry.outcome {
      case .unchanged: break
      case .state(let state): position.state = state
      case .patch(let patch): position.state = try patches.apply(patch, position.state)
      }
    }
    return position
  }
}
