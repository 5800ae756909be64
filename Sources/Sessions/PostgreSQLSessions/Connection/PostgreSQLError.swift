import FusionSessions

/// A failed statement or connection.
struct PostgreSQLError: Error {
  enum Kind {
    /// No connection, or one that ended before the statement was sent.
    case unreachable
    /// A statement that was sent and not answered.
    case lost
    /// A statement that the server refused
    /// (https://www.postgresql.org/docs/current/errcodes-appendix.html); nothing of it is committed, unless the code
    /// says that this is unknown.
    case refused(sqlState: String)
    /// A change that is committed on the server, but not on its synchronous standbys.
    case notReplicated
    /// Content that this store cannot have written.
    case damaged
  }

  let kind: Kind
  let text: String

  static func damaged(_ text: String) -> PostgreSQLError {
    PostgreSQLError(kind: .damaged, text: text)
  }

  /// Whether the connection cannot be used any more.
  var endsConnection: Bool {
    switch kind {
    case .unreachable, .lost: true
    // The server has become a standby, or is about to stop.
    case .refused(let state): state == "25006" || state.hasPrefix("57P") || state.hasPrefix("08")
    case .notReplicated, .damaged: false
    }
  }

  /// Whether the server lacks room or memory, or its system fails.
  var isOfServer: Bool {
    if case .refused(let state) = kind { ["53", "58"].contains(state.prefix(2)) } else { false }
  }

  /// Whether the statement collided with others and may succeed if repeated at once.
  var isCollision: Bool {
    if case .refused(let state) = kind { state == "40001" || state == "40P01" } else { false }
  }

  /// Whether others held a lock for too long (lock_not_available).
  var isLockTimeout: Bool {
    if case .refused("55P03") = kind { true } else { false }
  }

  /// Whether the error concerns only some values, or the place where they are stored: others may still be written.
  var isContained: Bool {
    if case .refused(let state) = kind {
      ["22", "23", "54", "XX"].contains(state.prefix(2))
    } else {
      false
    }
  }

  /// Whether another process has just created a table of that name, or the type that goes with it (PostgreSQL,
  /// appendix A).
  var isDuplicate: Bool {
    if case .refused(let state) = kind { ["42710", "42P07"].contains(state) } else { false }
  }

  /// Returns the meaning for a statement that changes something, or for one that reads.
  func storeError(ofChange isChange: Bool) -> StoreError {
    switch kind {
    case .unreachable: return .unreachable(text)
    case .lost, .notReplicated: return isChange ? .inDoubt : .unreachable(text)
    case .damaged: return .damaged(text)
    case .refused(let state):
      switch state.prefix(2) {
      // statement_completion_unknown and transaction_resolution_unknown.
      case _ where isChange && (state == "40003" || state == "08007"): return .inDoubt
      case _ where state == "53100": return .full
      case "22", "23", "54", "XX": return .damaged("\(text) (SQLSTATE \(state))")
      default: return .unreachable("\(text) (SQLSTATE \(state))")
      }
    }
  }
}
