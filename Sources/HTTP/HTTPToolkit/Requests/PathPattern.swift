import FusionHTTPMessages

/// The form of a resource's path, such as `/sessions/{id}/events`.
///
/// A name in braces matches any one segment. A pattern that ends in `*` matches every path that no other
/// pattern matches. The log, the metrics and OpenAPI show a path by its pattern, never by its text. A class,
/// so that patterns are compared by identity and not copied.
package final class PathPattern: Sendable {
  private enum Segment {
    /// The bytes of a fixed segment, by which it is compared.
    case literal([UInt8])
    case parameter(String)
  }

  package let text: String
  private let segments: [Segment]

  package init(_ text: String) {
    self.text = text
    segments = text.split(separator: "/").map { part in
      part.hasPrefix("{")
        ? .parameter(String(part.dropFirst().dropLast())) : .literal(Array(part.utf8))
    }
  }

  /// The path in OpenAPI's form, which has no notation for "every other path".
  package var openAPIPath: String { isCatchAll ? String(text.dropLast()) : text }

  /// Whether the pattern matches every path that no other pattern matches.
  package var isCatchAll: Bool { text.hasSuffix("*") }

  /// The names of the parameters, in order.
  package var parameters: [String] {
    segments.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
  }

  /// Returns whether some path matches both patterns, neither of which is a catch-all.
  package func overlaps(_ other: PathPattern) -> Bool {
    count == other.count
      && zip(segments, other.segments).allSatisfy { pair in
        if case (.literal(let text), .literal(let other)) = pair { text == other } else { true }
      }
  }

  /// Returns whether a router tries this pattern first: the shorter one, or the one with a literal instead of
  /// a parameter.
  package func precedes(_ other: PathPattern) -> Bool {
    guard count == other.count else { return count < other.count }
    for pair in zip(segments, other.segments) {
      switch pair {
      case (.literal, .parameter): return true
      case (.parameter, .literal): return false
      default: continue
      }
    }
    return false
  }

  /// The number of segments of a matching path.
  var count: Int { segments.count }

  /// Returns whether a path with equally many segments matches.
  func matches(_ path: [String]) -> Bool {
    for index in segments.indices {
      if case .literal(let text) = segments[index], !path[index].utf8.elementsEqual(text) {
        return false
      }
    }
    return true
  }

  fileprivate func index(of parameter: String) -> Int? {
    segments.firstIndex { if case .parameter(parameter) = $0 { true } else { false } }
  }
}

/// A path that matches a pattern, with the values of its parameters.
package struct PathParameters: Sendable {
  package let pattern: PathPattern
  private var segments: [String]

  init(_ pattern: PathPattern, _ target: RequestTarget) {
    self.pattern = pattern
    segments = target.segments
  }

  /// The decoded segment of a parameter; nil if the pattern has no parameter with that name.
  package subscript(name: String) -> String? {
    pattern.index(of: name).map { segments[$0] }
  }

  /// The segment of a parameter, converted to a value; nil if it cannot be converted.
  package subscript<Value: LosslessStringConvertible>(name: String, as type: Value.Type) -> Value? {
    self[name].flatMap { Value($0) }
  }
}
