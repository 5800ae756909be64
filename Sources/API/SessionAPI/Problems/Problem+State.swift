import FusionHTTPMessages
import UIFusionKit

/// Where a State cannot stand, and its turn was taken back.
extension Problem {
  static func stateTooLarge(limit: Int) -> Problem {
    Problem(
      422,
      "state-too-large",
      "The State would be too large",
      detail: "Have the session keep less: its State may have \(limit) bytes as JSON, which "
        + "--max-state sets. The Input was undone, those after it were not processed; those before it "
        + "stand."
    ).adding("limit", json: Array(String(limit).utf8))
  }

  static func stateNotWritable(_ member: String?) -> Problem {
    Problem(
      500,
      "state-not-writable",
      "The State cannot be written as JSON",
      detail: "Report this to whoever wrote the view model. The Input was undone, those after it "
        + "were not processed; those before it stand."
    ).naming(member)
  }

  init(_ unfit: InvalidState, at index: Int? = nil) {
    let problem: Problem =
      switch unfit {
      case .tooLarge(let limit): .stateTooLarge(limit: limit)
      case .notWritable(let member, _): .stateNotWritable(member)
      }
    self = index.map { problem.adding("index", json: Array(String($0).utf8)) } ?? problem
  }
}
