/// Any error as a value: it can be compared, sent, stored and shown, whatever it was made from.
public struct SendableError: Error, Sendable, Equatable, Codable, CustomStringConvertible {
  /// For a person: the error's own description, or how Swift prints it.
  public let description: String
  /// The error's number within its domain.
  ///
  /// For a Swift enum that is the place of its case, those with values first: it changes when cases
  /// are added.
  public let code: Int
  /// What the code belongs to; for a Swift error, its type's name with its module.
  public let domain: String
  /// The type's name, such as `CounterError`.
  public let typeName: String
  /// What the error brought along, as text.
  public let userInfo: [String: String]

  /// Describes an error: by its `LocalizedError` text where it has one, by what Foundation says of an
  /// error of its own, else by its printed form.
  ///
  /// An error that is a `SendableError` already stays as it is.
  public init(_ error: any Error) {
    if let error = error as? SendableError {
      self = error
      return
    }
    let details = ErrorDetails(error)
    description = details.description
    code = details.code
    domain = withoutAddress(details.domain)
    typeName = String(describing: type(of: error))
    userInfo = details.userInfo.mapValues { String(describing: $0) }
  }

  /// An error made by hand.
  public init(
    description: String,
    code: Int = 0,
    domain: String = "",
    typeName: String = "SendableError",
    userInfo: [String: String] = [:]
  ) {
    self.description = description
    self.code = code
    self.domain = domain
    self.typeName = typeName
    self.userInfo = userInfo
  }
}

/// Swift names what a private type stands in by an address, which is another in each process.
private func withoutAddress(_ domain: String) -> String {
  domain.split(separator: ".", omittingEmptySubsequences: false)
    .filter { !$0.hasPrefix("(unknown context at $") }.joined(separator: ".")
}
