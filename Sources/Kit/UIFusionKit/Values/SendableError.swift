/// An error of any kind as a value that can be compared, sent, stored and displayed.
public struct SendableError: Error, Sendable, Equatable, Codable, CustomStringConvertible {
  /// The text for people: the error's own description, or its printed form.
  public let description: String
  /// The error's number within its domain.
  ///
  /// For a Swift enum, the number of its case, cases with values first. The number changes when
  /// cases are added.
  public let code: Int
  /// The domain of the code; for a Swift error, the name of its type and module.
  public let domain: String
  /// The type's name, such as `CounterError`.
  public let typeName: String
  /// The error's user info, as text.
  public let userInfo: [String: String]

  /// Converts an error, described by its `LocalizedError` text, by Foundation's text for its own errors,
  /// or else by its printed form.
  ///
  /// A `SendableError` stays as it is.
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

  /// Creates an error from its parts.
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

/// Returns a domain without the address in the name of a private context, which differs between processes.
private func withoutAddress(_ domain: String) -> String {
  domain.split(separator: ".", omittingEmptySubsequences: false)
    .filter { !$0.hasPrefix("(unknown context at $") }.joined(separator: ".")
}
