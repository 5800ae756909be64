/// A part with which a new package may begin.
enum PackagePart: String, CaseIterable, Sendable {
  /// Pages on which people sign in and out, and their routes.
  case login
  /// A shared session and a desk for each person, in place of a counter.
  case shared

  /// The rule for a list of parts, to follow "must be".
  static let rule = "login, or login,shared"

  /// Reads a list of parts; nil if one is unknown.
  ///
  /// Shared sessions come with logins.
  static func parts(of text: String) -> Set<PackagePart>? {
    var parts: Set<PackagePart> = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let part = PackagePart(rawValue: String(word)) else { return nil }
      parts.insert(part)
    }
    return parts.contains(.shared) ? parts.union([.login]) : parts
  }
}
