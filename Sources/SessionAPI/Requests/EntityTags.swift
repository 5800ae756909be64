/// A list of entity tags, as conditions carry it (RFC 9110 §13.1).
struct EntityTags {
  private let text: String

  init(_ text: String) {
    self.text = text
  }

  /// Whether the list names this tag, or is `*`.
  ///
  /// Compares weakly: a `W/` makes no difference.
  func contain(_ tag: String) -> Bool {
    text.split(separator: ",").contains { member in
      var member = member.drop { $0 == " " || $0 == "\t" }
      while member.last == " " || member.last == "\t" { member.removeLast() }
      if member == "*" { return true }
      return (member.hasPrefix("W/") ? member.dropFirst(2) : member) == tag
    }
  }
}
