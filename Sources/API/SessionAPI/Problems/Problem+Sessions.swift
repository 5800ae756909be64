import FusionHTTPMessages
import FusionSessions
import FusionStrictJSON

/// What may be wrong in creating a session, or with the one that is named.
extension Problem {
  static let unknownSession = Problem(
    404,
    "unknown-session",
    "Unknown session",
    detail: "Create a session with POST /sessions."
  )

  static let endedSession = Problem(
    410,
    "ended-session",
    "The session has ended",
    detail: "It was deleted or has expired; create a new one with POST /sessions."
  )

  static func unreadableSession(viewModel: String) -> Problem {
    unreadableSession(
      410,
      viewModel,
      "It was stored by a \(viewModel) that this service does not know how to read; until "
        + "it expires it stays stored for one that does. Create a new one with POST /sessions."
    )
  }

  /// The same of one of several nodes, which has let go of it: while a deployment goes on, others are newer.
  static func sessionUnreadableHere(viewModel: String) -> Problem {
    unreadableSession(
      503,
      viewModel,
      "Try again in a moment: this node's version cannot read the session's State, and another node may. "
        + "It stays stored as it is."
    ).with("Retry-After", "1")
  }

  private static func unreadableSession(
    _ status: Int,
    _ viewModel: String,
    _ detail: String
  ) -> Problem {
    Problem(
      status,
      "unreadable-session",
      "The session cannot be read",
      detail: detail
    ).adding("viewModel", viewModel)
  }

  static func invalidRequest(_ error: JSONError) -> Problem {
    Problem(
      422,
      "invalid-request",
      "The body does not say what to create",
      detail: "Send an object such as {\"viewModel\":\"counter\"}: \(error)."
    ).naming(error.member)
  }

  /// The reason is one sentence without capital and full stop.
  static func invalidParameters(_ reason: String, member: String? = nil) -> Problem {
    Problem(
      422,
      "invalid-parameters",
      "The parameters do not fit",
      detail: "Mend the parameters: \(reason)."
    ).naming(member)
  }

  /// Of what needs more memory than there is.
  init(_ error: MemoryFull) {
    self = Problem(
      503,
      "memory-full",
      "The memory is full",
      detail:
        "Try again in a moment: what needs more memory has to wait. The service may have \(error.limit) "
        + "bytes; --max-memory sets that limit."
    ).adding("limit", json: Array(String(error.limit).utf8)).with("Retry-After", "5")
  }

  static func tooManySessions(limit: Int) -> Problem {
    Problem(
      503,
      "too-many-sessions",
      "Too many sessions",
      detail:
        "Delete sessions that are no longer needed, or try again later. There may be \(limit); "
        + "--max-sessions sets that limit."
    ).adding("limit", json: Array(String(limit).utf8)).with("Retry-After", "30")
  }
}
