import FusionHTTPMessages
package import FusionStrictJSON

/// The error of an Input that cannot be read, and the Input's place in its batch.
package struct InputError: Error {
  let error: JSONError
  /// The case that the Input names, which may not exist.
  let caseName: String?
  let index: Int?

  package init(_ error: JSONError, reading value: JSONValue, at index: Int?) {
    self.error = error
    caseName = value.string ?? (value.count == 1 ? value.members.first { _ in true }?.name : nil)
    self.index = index
  }

  /// Returns the problem that a client is told; `known` are the cases of the view model's Inputs.
  func problem(known: [String]) -> Problem {
    // Where the case is known, but has no such value, the case is the faulty member.
    let member = error.member ?? caseName.flatMap { known.contains($0) ? $0 : nil }
    let problem = Problem.invalidInput.filled(with: "\(error)").adding("known", known)
      .naming(member)
    return index.map { problem.adding("index", json: Array(String($0).utf8)) } ?? problem
  }
}
