package import StrictJSON

/// What is wrong with an Input, and where it stands in its batch.
package struct InputError: Error {
  let error: JSONError
  /// The names of the Inputs that there are.
  let known: [String]
  let index: Int?

  package init(_ error: JSONError, of type: Any.Type, at index: Int?) {
    self.error = error
    self.known = EnumCases.names(of: type)
    self.index = index
  }
}
