import HTTPMessages
import Sessions

/// Errors of the store.
extension Problem {
  static let storeUnreachable = Problem(
    503,
    "store-unreachable",
    "The store is out of reach",
    detail: "Nothing was applied; try again in a moment."
  ).with("Retry-After", "1")

  static let storeFull = Problem(
    507,
    "store-full",
    "The store is full",
    detail: "Nothing was applied; try again when there is room on the server's disk."
  ).with("Retry-After", "30")

  static let storeInDoubt = Problem(
    503,
    "store-in-doubt",
    "The store did not say what it did",
    detail: "Look at the session before you try again: the Inputs may have been applied."
  ).with("Retry-After", "1")

  static func unreadableSession(viewModel: String) -> Problem {
    Problem(
      410,
      "unreadable-session",
      "The session cannot be read",
      detail:
        "It was stored by a \(viewModel) that this service does not know how to read; until "
        + "it expires it stays stored for one that does. Create a new one with POST /sessions."
    ).adding("viewModel", viewModel)
  }

  init(_ error: StoreError) {
    self =
      switch error {
      case .full: .storeFull
      case .inDoubt: .storeInDoubt
      case .closed: .draining
      case .unreachable, .damaged, .conflict: .storeUnreachable
      }
  }

  init(_ failure: SessionHost.WakeFailure) {
    self =
      switch failure {
      case .store(let error): Problem(error)
      case .unreadable(let viewModel): .unreadableSession(viewModel: viewModel)
      }
  }
}
