import FusionHTTPMessages
import UIFusionKit

/// What one client has too much of (RFC 6585 §4).
extension Problem {
  static func tooManyClientSessions(limit: Int) -> Problem {
    Problem(
      429,
      "too-many-client-sessions",
      "This client has too many sessions",
      detail: "Delete sessions that are no longer needed, or try again later. One client may have "
        + "\(limit); --max-sessions-per-client sets that limit."
    ).limited(to: limit, retryAfter: .seconds(30))
  }

  static func tooManyClientStreams(limit: Int) -> Problem {
    Problem(
      429,
      "too-many-client-streams",
      "This client has too many streams",
      detail:
        "Close streams, or follow several sessions over one with GET /events. One client may have "
        + "\(limit); --max-streams-per-client sets that limit."
    ).limited(to: limit, retryAfter: .seconds(30))
  }

  init(_ error: InputRates.Exceeded) {
    self = Problem(
      429,
      "too-many-client-inputs",
      "This client sends too many Inputs",
      detail:
        "Send it again after the seconds in Retry-After; nothing was applied. One client may send "
        + "\(error.limit) a second; --inputs-per-second sets that limit."
    ).limited(to: error.limit, retryAfter: error.wait)
  }

  private func limited(to limit: Int, retryAfter wait: Duration) -> Problem {
    let seconds = max(1, Int((wait / .seconds(1)).rounded(.up)))
    return adding("limit", json: Array(String(limit).utf8)).with("Retry-After", "\(seconds)")
  }
}
