/// The items of a header's list, the last one first, without those that are empty (RFC 9110 §5.6.1).
///
/// What was added last was added by who is nearest, and is read without a look at what others have written
/// before it.
struct ListItemsFromEnd {
  private var rest: Substring

  init(_ list: String) {
    rest = list[...]
  }

  /// Nil where there are no more.
  mutating func next() -> Substring? {
    while !rest.isEmpty {
      let bytes = rest.utf8
      var start = bytes.endIndex
      var isQuoted = false
      while start > bytes.startIndex {
        let byte = bytes[bytes.index(before: start)]
        if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
        if byte == UInt8(ascii: ","), !isQuoted { break }
        start = bytes.index(before: start)
      }
      let item = trimmed(rest[start...])
      rest = rest[..<start]
      if !rest.isEmpty { rest.removeLast() }
      if !item.isEmpty { return item }
    }
    return nil
  }
}

private func trimmed(_ text: Substring) -> Substring {
  func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
  var text = text.utf8.drop(while: isBlank)
  while let last = text.last, isBlank(last) { text.removeLast() }
  return Substring(text)
}
