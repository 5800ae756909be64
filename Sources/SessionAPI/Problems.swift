import HTTPMessages
import StrictJSON

/// Every error that the service answers with. Their names are part of its contract.
extension Problem {
  // MARK: Any resource

  static let notFound = Problem(
    404,
    "not-found",
    "Not found",
    detail: "There is nothing at this path; GET / presents what there is."
  )

  static func methodNotAllowed(_ allowed: [HTTPMethod]) -> Problem {
    let names = allowed.map(\.rawValue).joined(separator: ", ")
    return Problem(
      405,
      "method-not-allowed",
      "Method not allowed",
      detail: "Use one of the methods that this resource has: \(names)."
    ).with("Allow", names)
  }

  static let unsupportedMediaType = Problem(
    415,
    "unsupported-media-type",
    "Unsupported media type",
    detail: "Send the body as JSON in UTF-8, with Content-Type: application/json."
  ).with("Accept", "application/json")

  static func malformed(_ error: JSONError) -> Problem {
    Problem(
      400,
      "malformed-json",
      "The body is not JSON",
      detail: "Mend the body and send it again: \(error)."
    )
  }

  static func invalidQuery(_ member: String, _ detail: String) -> Problem {
    Problem(400, "invalid-query", "The query does not fit", detail: detail).naming(member)
  }

  // MARK: View models

  static func unknownViewModel(known: [String]) -> Problem {
    Problem(
      404,
      "unknown-view-model",
      "Unknown view model",
      detail: "Ask for one of those that GET /view-models lists."
    ).adding("known", known)
  }

  // MARK: Creating a session

  static func unknownMember(_ error: JSONError) -> Problem {
    Problem(
      400,
      "unknown-member",
      "Unknown member",
      detail: "Leave it out or mend its name: \(error)."
    ).naming(error.member)
  }

  static func invalidRequest(_ error: JSONError) -> Problem {
    Problem(
      422,
      "invalid-request",
      "The body does not say what to create",
      detail: "Send an object such as {\"viewModel\":\"counter\"}: \(error)."
    ).naming(error.member)
  }

  static func unhostedViewModel(known: [String]) -> Problem {
    Problem(
      422,
      "unknown-view-model",
      "Unknown view model",
      detail: "Name one of the view models that are hosted here."
    ).adding("known", known)
  }

  static func invalidParameters(_ error: JSONError) -> Problem {
    Problem(
      422,
      "invalid-parameters",
      "The parameters do not fit",
      detail: "Mend the parameters: \(error)."
    ).naming(error.member)
  }

  static func refusedParameters(_ error: any Error) -> Problem {
    Problem(
      422,
      "invalid-parameters",
      "The parameters do not fit",
      detail: "The view model refused them: \(error)."
    )
  }

  static let tooManySessions = Problem(
    503,
    "too-many-sessions",
    "Too many sessions",
    detail: "Delete sessions that are no longer needed, or try again later."
  ).with("Retry-After", "30")

  static let starting = Problem(
    503,
    "starting",
    "The service is starting",
    detail: "Try again in a moment."
  ).with("Retry-After", "1")

  static let draining = Problem(
    503,
    "draining",
    "The service is stopping",
    detail: "Try again: another instance will answer."
  ).with("Retry-After", "5")

  // MARK: Sessions

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

  // MARK: Inputs

  static func invalidInput(_ input: InputError, known: [String]) -> Problem {
    let problem = Problem(
      422,
      "invalid-input",
      "Not an Input of this view model",
      detail: "Send one of the known Inputs: \(input.error)."
    ).adding("known", known).naming(input.member(known: known))
    return input.index.map { problem.adding("index", json: Array(String($0).utf8)) } ?? problem
  }

  static let queueFull = Problem(
    429,
    "queue-full",
    "Too many Inputs are waiting",
    detail: "Try again when those that wait have been taken up, and split a batch that is longer "
      + "than --max-queued-inputs."
  ).with("Retry-After", "1")

  private func naming(_ member: String?) -> Problem {
    member.map { adding("member", $0) } ?? self
  }
}
