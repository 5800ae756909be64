import FusionSessions
import FusionTypeShapes
import UIFusionKit

extension ViewModelCatalog {
  /// The types that clients send and get.
  var types: [any Decodable.Type] {
    viewModels.compactMap(\.types).flatMap { codedTypes(of: $0.model) + [$0.parameters] }
  }

  /// Throws if clients would get two members of one name in the State of a view model.
  ///
  /// Looks at a State that is itself `MemberDeriving`, and at the types in it: looking at every State would delay
  /// the start.
  func check() throws(ServiceError) {
    // All at once, as each child process costs time.
    _ = ShapeSearch(types.filter { $0 is any MemberDeriving.Type }).finish()
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

private func codedTypes<Model: ViewModel>(of model: Model.Type) -> [any Decodable.Type] {
  let types: [Any.Type] = [Model.State.self, Model.Input.self]
  return types.compactMap { $0 as? any Decodable.Type }
}

private func ambiguousMembers<Model: ViewModel>(of model: Model.Type) -> [String] {
  guard Model.State.self is any MemberDeriving.Type else { return [] }
  return TypeShape(of: Model.State.self).ambiguousMembers
}
