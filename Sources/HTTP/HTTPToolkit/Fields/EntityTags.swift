/// The entity tags that a condition names (RFC 9110 §8.8.3, §13.1).
struct EntityTags: Sendable {
  private enum Content: Sendable {
    case any
    case listed([Tag])
    case malformed
  }

  fileprivate struct Tag: Sendable {
    let isWeak: Bool
    /// With its quotes.
    let text: String
  }

  private let content: Content

  /// Reads `*`, or a list of tags.
  init(_ text: String) {
    var scanner = FieldScanner(text)
    scanner.skipBlanks()
    if scanner.scan("*") {
      scanner.skipBlanks()
      content = scanner.isAtEnd ? .any : .malformed
    } else {
      content = scanner.tags().map(Content.listed) ?? .malformed
    }
  }

  /// Whether it is neither `*` nor a list of tags; then it names none.
  var isMalformed: Bool { if case .malformed = content { true } else { false } }

  /// Whether this tag is among them, as `If-None-Match` compares: weakly, a `W/` makes no difference
  /// (RFC 9110 §13.1.2).
  func contain(_ tag: String) -> Bool {
    switch content {
    case .any: true
    case .listed(let tags): tags.contains { $0.text == tag }
    case .malformed: false
    }
  }

  /// Whether this tag is among them, as `If-Match` compares: strongly, a weak tag is equal to none
  /// (RFC 9110 §13.1.1).
  func containStrongly(_ tag: String) -> Bool {
    switch content {
    case .any: true
    case .listed(let tags): tags.contains { !$0.isWeak && $0.text == tag }
    case .malformed: false
    }
  }
}

extension FieldScanner {
  /// A list whose elements may be empty (RFC 9110 §5.6.1.2); nil where it is none.
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
