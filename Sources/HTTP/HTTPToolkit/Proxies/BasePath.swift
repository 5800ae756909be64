package import FusionHTTPMessages

/// The path below which clients find the service, as a proxy in front has it: `/app`, or nothing.
///
/// Everything that the service writes begins with it: `Location`, links, types of problems. A request's path may begin
/// with it: a proxy that passes the path on as it is, and one that removes the prefix, are both served.
package struct BasePath: Sendable {
  /// The path without a slash at its end; empty for the root.
  package let text: String
  private let segments: [String]

  package static let root = BasePath(segments: [])

  /// Returns nil unless the path is segments of letters, digits, `.`, `_`, `~` and `-`, such as `/app` or
  /// `/tools/app/`, without anything that would have to be escaped, and no `isReserved` path of the service's own.
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

  /// Returns the target below this path; unchanged where it does not begin with it.
  package func target(of target: RequestTarget) -> RequestTarget {
    guard !isRoot, target.segments.count > segments.count, target.segments.starts(with: segments)
    else { return target }
    let rest = target.segments.dropFirst(segments.count)
    // The empty segment after the slash is the root's, which has no segments.
    return RequestTarget(segments: rest == [""] ? [] : Array(rest), query: target.query)
  }

  /// Returns the path of the front page, with the slash that the links of a page are relative to.
  package func home(_ query: [RequestTarget.QueryItem]) -> String {
    let items = query.map {
      "\(PercentEncoding.encoded($0.name))=\(PercentEncoding.encoded($0.value))"
    }
    return text + "/" + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
  }

  /// Returns whether a target is the path itself, without the slash that the links of a page need.
  package func isTarget(_ target: RequestTarget) -> Bool {
    !isRoot && target.segments == segments
  }
}
