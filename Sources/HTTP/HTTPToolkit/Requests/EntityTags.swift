import FusionHTTPMessages

/// The entity tags in a condition (RFC 9110 §8.8.3, §13.1).
package struct EntityTags: Sendable {
  private enum Content: Sendable {
    case any
    case listed([Tag])
    case malformed
  }

  fileprivate struct Tag: Sendable {
    let isWeak: Bool
    /// The tag, including its quotes.
    let text: String
  }

  private let content: Content

  /// Parses `*` or a list of tags.
  package init(_ text: String) {
    var scanner = FieldScanner(text)
    scanner.skipBlanks()
    if scanner.scan("*") {
      scanner.skipBlanks()
      content = scanner.isAtEnd ? .any : .malformed
    } else {
      content = scanner.tags().map(Content.listed) ?? .malformed
    }
  }

  /// Whether the text was neither `*` nor a list of tags; then it contains no tag.
  package var isMalformed: Bool { if case .malformed = content { true } else { false } }

  /// Whether a tag is weak or no number: no version's tag is, but proxies that compress make such of it (`W/"7"`,
  /// `"7-gzip"`).
  package var containAlteredVersion: Bool {
    guard case .listed(let tags) = content else { return false }
    return tags.contains { tag in
      tag.isWeak || !tag.text.utf8.dropFirst().dropLast().allSatisfy { 0x30...0x39 ~= $0 }
    }
  }

  /// Returns whether a tag is contained, by the weak comparison of `If-None-Match`, which ignores `W/` (RFC
  /// 9110 §13.1.2).
  package func contain(_ tag: String) -> Bool {
    switch content {
    case .any: true
    case .listed(let tags): tags.contains { $0.text == tag }
    case .malformed: false
    }
  }

  /// Returns whether a tag is contained, by the strong comparison of `If-Match`, by which a weak tag equals
  /// no other (RFC 9110 §13.1.1).
  package func containStrongly(_ tag: String) -> Bool {
    switch content {
    case .any: true
    case .listed(let tags): tags.contains { !$0.isWeak && $0.text == tag }
    case .malformed: false
    }
  }
}

extension FieldScanner {
  /// Parses a list whose elements may be empty (RFC 9110 §5.6.1.2); returns nil if it is malformed.
  fileprivate mutating func tags() -> [EntityTags.Tag]? {
    var tags: [EntityTags.Tag] = []
    while true {
      skipBlanks()
      if scan(",") { continue }
      if isAtEnd { return tags }
      let isWeak = scan("W")
      if isWeak, !scan("/") { return nil }
      guard scan("\"") else { return nil }
      let text = scan { $0 == 0x21 || 0x23...0x7E ~= $0 || $0 >= 0x80 }
      guard scan("\"") else { return nil }
      tags.append(EntityTags.Tag(isWeak: isWeak, text: "\"\(text)\""))
      skipBlanks()
      guard isAtEnd || scan(",") else { return nil }
    }
  }
}
