import FusionHTTPMessages

/// The path below which clients find the service, as a proxy in front has it: `/app`, or nothing.
///
/// What the service writes begins with it: Location, links, types of problems. What it reads may: a proxy
/// that hands the path on as it is, and one that takes the prefix away, are both served.
package struct BasePath: Sendable {
  /// Without a slash at its end; empty where there is none.
  package let text: String
  private let segments: [String]

  package static let root = BasePath(segments: [])

  /// Nil unless it is segments of letters, digits, `.`, `_`, `~` and `-`, such as `/app` or `/tools/app/`:
  /// nothing that would have to be escaped anywhere, and no route of the service.
  package init?(_ text: String) {
    guard text.wholeMatch(of: /\/|(\/[A-Za-z0-9._~-]+)+\/?/) != nil else { return nil }
    let segments = text.split(separator: "/").map(String.init)
    guard !segments.contains(where: { [".", ".."].contains($0) }),
      RouteTable.all.match(RequestTarget(segments: segments))?.route === Route.files
    else { return nil }
    self.init(segments: segments)
  }

  private init(segments: [String]) {
    self.segments = segments
    text = segments.map { "/" + $0 }.joined()
  }

  var isRoot: Bool { segments.isEmpty }

  /// The target below it; as it is where it does not begin so.
  func target(of target: RequestTarget) -> RequestTarget {
    guard !isRoot, target.segments.count > segments.count, target.segments.starts(with: segments)
    else { return target }
    let rest = target.segments.dropFirst(segments.count)
    // The one empty segment behind a slash is the root's, which has none.
    return RequestTarget(segments: rest == [""] ? [] : Array(rest), query: target.query)
  }

  /// Where its front page is, with the slash at which the links of a page begin.
  func home(_ query: [RequestTarget.QueryItem]) -> String {
    let items = query.map { "\(percentEncoded($0.name))=\(percentEncoded($0.value))" }
    return text + "/" + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
  }

  /// Whether a target is the path itself, without the slash that the links of a page need.
  func isTarget(_ target: RequestTarget) -> Bool {
    !isRoot && target.segments == segments
  }
}

/// What is not unreserved (RFC 3986 §2.3) as its bytes.
private func percentEncoded(_ text: String) -> String {
  text.utf8.map { byte in
    let character = Character(Unicode.Scalar(byte))
    if character.isASCII, character.isLetter || character.isNumber || "-._~".contains(character) {
      return String(character)
    }
    return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }.joined()
}
