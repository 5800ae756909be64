import FusionSessions
import FusionTypeShapes
import UIFusionKit

extension ViewModelCatalog {
  /// Throws if clients would get two members of one name in the State of a view model.
  ///
  /// Looks at a State that is itself `MemberDeriving`, and at the types in it: looking at every State would delay
  /// the start.
  func check() throws(ServiceError) {
    for viewModel in viewModels {
      guard let model = viewModel.types?.model else { continue }
      let members = ambiguousMembers(of: model).joined(separator: ", ")
      guard !members.isEmpty else { continue }
      throw ServiceError(
        """
        the State of \(viewModel.name) has a stored and a derived member of one name, \(members): \
        rename one of the two
        """
      )
    }
  }
}

private func ambiguousMembers<Model: ViewModel>(of model: Model.Type) -> [String] {
  guard Model.State.self is any MemberDeriving.Type else { return [] }
  return TypeShape(of: Model.State.self).ambiguousMembers
}
