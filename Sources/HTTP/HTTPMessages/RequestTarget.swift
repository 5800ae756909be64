/// The path and query of a request, split first and percent-decoded once afterwards (RFC 3986 §2.4).
///
/// Splitting before decoding keeps an encoded slash or ampersand what it is: a character of its
/// segment. NUL and bytes that are no UTF-8 are refused rather than passed on.
package struct RequestTarget: Sendable, Equatable {
  /// The path's segments; `/sessions/7/events` has three, `/` has none.
  ///
  /// A slash at the end adds an empty one.
  package let segments: [String]
  /// The query's members in order; a member without `=` has an empty value.
  package let query: [QueryItem]

  /// Whether this is no path at all, but the service as a whole (`*`, RFC 9112 §3.2.4).
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

  /// Nil where the target is not in origin form, or an escape is broken or stands for NUL.
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
        guard let segment = percentDecoded(part) else { return nil }
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
        guard let name = percentDecoded(pair[0]) else { return nil }
        guard let value = pair.count > 1 ? percentDecoded(pair[1]) : "" else { return nil }
        query.append(QueryItem(name: name, value: value))
      }
    }
    self.init(segments: segments, query: query)
  }

  /// The path as it was meant, for looking up a file: segments joined again, not escaped.
  package var path: String { "/" + segments.joined(separator: "/") }

  /// The first query member of that name.
  package func first(_ name: String) -> String? {
    query.first { $0.name == name }?.value
  }
}

private func percentDecoded(_ text: Substring.UTF8View) -> String? {
  guard text.contains(UInt8(ascii: "%")) else {
    return text.contains(0) ? nil : String(Substring(text))
  }
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.count)
  var rest = text.makeIterator()
  while let byte = rest.next() {
    guard byte == UInt8(ascii: "%") else {
      bytes.append(byte)
      continue
    }
    guard let high = rest.next().flatMap(hexValue), let low = rest.next().flatMap(hexValue) else {
      return nil
    }
    bytes.append(high << 4 | low)
  }
  return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
}

private func hexValue(_ digit: UInt8) -> UInt8? {
  switch digit {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
  default: nil
  }
}
