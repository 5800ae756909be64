package import FusionStrictJSON

/// What is wrong with an Input, and where it stands in its batch.
package struct InputError: Error {
  let error: JSONError
  /// The case that it names, which may be one that there is not.
  let caseName: String?
  let index: Int?

  package init(_ error: JSONError, reading value: JSONValue, at index: Int?) {
    self.error = error
    caseName = value.string ?? (value.count == 1 ? value.members.first { _ in true }?.name : nil)
    self.index = index
  }

  /// The faulty member; where the fault is that the case has no such value, the case.
  func member(known: [String]) -> String? {
    error.member ?? caseName.flatMap { known.contains($0) ? $0 : nil }
  }
}
