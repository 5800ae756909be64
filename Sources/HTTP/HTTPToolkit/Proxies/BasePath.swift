package import FusionHTTPMessages

/// The path prefix under which a proxy offers the service, such as `/app`; may be empty.
///
/// Everything that the service writes begins with it: `Location`, links, types of problems. A request's path
/// may begin with it, so that the proxy may keep or remove the prefix.
package struct BasePath: Sendable {
  /// The path without a trailing slash; empty for the root.
  package let text: String
  private let segments: [String]

  package static let root = BasePath(segments: [])

  /// Returns nil unless the path consists of segments of letters, digits, `.`, `_`, `~` and `-`, such as
  /// `/app` or `/tools/app/`, without characters that need escaping, and is not an `isReserved` path of the
  /// service.
  package init?(_ text: String, isReserved: (RequestTarget) -> Bool) {
    guard text.wholeMatch(of: /\/|(\/[A-Za-z0-9._~-]+)+\/?/) != nil else { return nil }
    let segments = text.split(separator: "/").map(String.init)
    guard !segments.contains(where: { [".", ".."].contains($0) }),
      !isReserved(RequestTarget(segments: segments))
    else { return nil }
    self.init(segments: segments)
  }

  private init(segments: [String]) {
    self.segments = segments
    text = segments.map { "/" + $0 }.joined()
  }

  package var isRoot: Bool { segments.isEmpty }

  /// Returns the target relative to this path; unchanged if it does not begin with it.
  package func target(of target: RequestTarget) -> RequestTarget {
    guard !isRoot, target.segments.count > segments.count, target.segments.starts(with: segments)
    else { return target }
    let rest = target.segments.dropFirst(segments.count)
    // An empty segment after the slash stands for the root, which has no segments.
    return RequestTarget(segments: rest == [""] ? [] : Array(rest), query: target.query)
  }

  /// Returns the path of the front page, with the slash to which a page's links are relative.
  package func home(_ query: [RequestTarget.QueryItem]) -> String {
    let items = query.map {
      "\(PercentEncoding.encoded($0.name))=\(PercentEncoding.encoded($0.value))"
    }
    return text + "/" + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
  }

  /// Returns whether a target is the path itself, without the slash that a page's links need.
  package func isTarget(_ target: RequestTarget) -> Bool {
    !isRoot && target.segments == segments
  }
}
