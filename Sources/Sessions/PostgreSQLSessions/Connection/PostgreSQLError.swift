import FusionSessions

/// What came of a statement that failed.
struct PostgreSQLError: Error {
  enum Kind {
    /// There is no connection, or it ended before the statement was sent.
    case unreachable
    /// It was sent, and the connection ended before there was an answer.
    case lost
    /// The server has refused it, for this reason
    /// (https://www.postgresql.org/docs/current/errcodes-appendix.html); nothing of it stands, unless the reason
    /// is that this is unknown.
    case refused(sqlState: String)
    /// It stands on the server, but not where the server was told to have it, too.
    case notReplicated
    /// What was read is not what was written.
    case damaged
  }

  let kind: Kind
  let text: String

  static func damaged(_ text: String) -> PostgreSQLError {
    PostgreSQLError(kind: .damaged, text: text)
  }

  /// Whether the connection is of no use any more.
  var endsConnection: Bool {
    switch kind {
    case .unreachable, .lost: true
    // It has become a standby, or is about to stop.
    case .refused(let state): state == "25006" || state.hasPrefix("57P") || state.hasPrefix("08")
    case .notReplicated, .damaged: false
    }
  }

  /// Whether the same statement may succeed at once: others were in its way.
  var isCollision: Bool {
    if case .refused(let state) = kind { state == "40001" || state == "40P01" } else { false }
  }

  /// Whether others have kept for too long what it was to change or read (lock_not_available).
  var isOfLock: Bool {
    if case .refused("55P03") = kind { true } else { false }
  }

  /// Whether it is of some values, or of where they are: others may be written all the same.
  var isLocal: Bool {
    if case .refused(let state) = kind {
      ["22", "23", "54", "XX"].contains(state.prefix(2))
    } else {
      false
    }
  }

  /// What it means for a statement that was to change something, or to read.
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
