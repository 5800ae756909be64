/// The path and query of a request, split first and percent-decoded once afterwards (RFC 3986 §2.4).
///
/// An encoded slash or ampersand thus stays a character of its segment. In the query, `+` is a space, as browsers write
/// the fields of a form. NUL and invalid UTF-8 are refused.
package struct RequestTarget: Sendable, Equatable {
  /// The path's segments; `/sessions/7/events` has three, `/` has none.
  ///
  /// A slash at the end adds an empty segment.
  package let segments: [String]
  /// The query's members in order; a member without `=` has an empty value.
  package let query: [QueryItem]

  /// Whether the target is the service as a whole (`*`, RFC 9112 §3.2.4), without a path.
  package let isAsterisk: Bool

  package static let asterisk = RequestTarget(isAsterisk: true)

  package struct QueryItem: Sendable, Equatable {
    package let name: String
    package let value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  package init(segments: [String], query: [QueryItem] = []) {
    self.segments = segments
    self.query = query
    isAsterisk = false
  }

  private init(isAsterisk: Bool) {
    segments = []
    query = []
    self.isAsterisk = isAsterisk
  }

  /// Parses a target in origin form; nil for another form, and if an escape is invalid or stands for NUL.
  package init?(_ target: String) {
    let parts = target.utf8.split(
      separator: UInt8(ascii: "?"),
      maxSplits: 1,
      omittingEmptySubsequences: false
    )
    guard let path = parts.first, path.first == UInt8(ascii: "/") else { return nil }
    var segments: [String] = []
    if path.count > 1 {
      for part in path.dropFirst().split(
        separator: UInt8(ascii: "/"),
        omittingEmptySubsequences: false
      ) {
        guard let segment = PercentEncoding.decoded(part) else { return nil }
        segments.append(segment)
      }
    }
    var query: [QueryItem] = []
    if parts.count > 1 {
      for member in parts[1].split(separator: UInt8(ascii: "&")) {
        let pair = member.split(
          separator: UInt8(ascii: "="),
          maxSplits: 1,
          omittingEmptySubsequences: false
        )
        guard let name = PercentEncoding.decoded(pair[0], asForm: true),
          let value = pair.count > 1 ? PercentEncoding.decoded(pair[1], asForm: true) : ""
        else { return nil }
        query.append(QueryItem(name: name, value: value))
      }
    }
    self.init(segments: segments, query: query)
  }

  /// The decoded path, for looking up a file.
  package var path: String { "/" + segments.joined(separator: "/") }

  /// The first query member of that name.
  package func first(_ name: String) -> String? {
    query.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }
}

extension RequestTarget {
  /// The target in origin form, with escapes for all bytes that are not unreserved (RFC 3986 §2.3).
  ///
  /// Parsing this text gives an equal target.
  package var text: String {
    if isAsterisk { return "*" }
    var text: [UInt8] = []
    for segment in segments {
      text.append(UInt8(ascii: "/"))
      PercentEncoding.append(segment, to: &text)
    }
    if segments.isEmpty { text.append(UInt8(ascii: "/")) }
    for (index, item) in query.enumerated() {
      text.append(UInt8(ascii: index == 0 ? "?" : "&"))
      PercentEncoding.append(item.name, to: &text)
      text.append(UInt8(ascii: "="))
      PercentEncoding.append(item.value, to: &text)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
