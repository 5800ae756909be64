import FusionHTTPMessages
import FusionSessions

/// What the store did not do.
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

  init(_ error: StoreError) {
    self =
      switch error {
      case .full: .storeFull
      case .inDoubt: .storeInDoubt
      case .closed: .draining
      case .unreachable, .damaged, .conflict, .fenced: .storeUnreachable
      }
  }

  init(_ failure: WakeFailure) {
    self =
      switch failure {
      case .store(let error): Problem(error)
      case .unreadable(let viewModel): .unreadableSession(viewModel: viewModel)
      case .unreadableHere(let viewModel): .sessionUnreadableHere(viewModel: viewModel)
      case .memoryFull(let error): Problem(error)
      case .elsewhere: .unreachableNode
      }
  }
}
