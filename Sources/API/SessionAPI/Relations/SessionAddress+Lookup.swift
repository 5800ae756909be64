import FusionSessions
import UIFusionKit

extension HostServices {
  /// Returns whether another session may get an address once nobody has it: a valid name of a hosted view model.
  func isFree(_ address: SessionAddress) -> Bool {
    guard case .named(let text, let viewModel, _) = address.form else { return false }
    return viewModels.named(viewModel) != nil && SessionName(text, of: viewModel, for: nil) != nil
  }

  /// Finds the session id of an address, for a session of an identity; nil if there is none.
  func find(
    _ address: SessionAddress,
    for identity: String?
  ) async -> Result<SessionID?, StoreError> {
    switch address.form {
    // A share's id is not an address: its keys would be those of the session's id.
    case .id(let id): return .success(SessionID(id))
    case .named(let text, let viewModel, let isShared):
      let identity = isShared ? nil : identity
      guard let name = SessionName(text, of: viewModel, for: identity) else { return .success(nil) }
      return await withCheckedContinuation { done in
        creator.find(name) { done.resume(returning: $0) }
      }
    }
  }
}
