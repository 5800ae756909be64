/// The elements of a comma-separated list, without white space around them and without empty ones (RFC 9110 §5.6.1).
///
/// A comma within a quoted string separates nothing.
package struct ListElements: Sequence, IteratorProtocol {
  private var rest: Substring

  package init(_ list: String) {
    rest = list[...]
  }

  /// Removes and returns the first element; nil where there are no more.
  package mutating func next() -> Substring? {
    while !rest.isEmpty {
      var scanner = FieldScanner(rest)
      let endsInComma = scanner.skipElement()
      let element = rest.utf8.prefix(rest.utf8.count - scanner.count)
      rest = rest[element.endIndex...]
      let item = Substring(endsInComma ? element.dropLast() : element).trimmingBlanks
      if !item.isEmpty { return item }
    }
    return nil
  }

  /// Removes and returns the last element; nil where there are no more.
  ///
  /// Nothing before it is looked at: the last one was added by the nearest proxy, the others by anybody.
  package mutating func popLast() -> Substring? {
    while !rest.isEmpty {
      let bytes = rest.utf8
      var start = bytes.endIndex
      var isQuoted = false
      while start > bytes.startIndex {
        let byte = bytes[bytes.index(before: start)]
        if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
        if byte == comma, !isQuoted { break }
        start = bytes.index(before: start)
      }
      let item = rest[start...].trimmingBlanks
      rest = rest[..<start]
      if !rest.isEmpty { rest.removeLast() }
      if !item.isEmpty { return item }
    }
    return nil
  }
}

extension Substring {
  /// The text without spaces and tabs at its ends (RFC 9110 §5.6.3).
  package var trimmingBlanks: Substring {
    var text = utf8.drop(while: ByteSet.blanks.contains)
    while let last = text.last, ByteSet.blanks.contains(last) { text.removeLast() }
    return Substring(text)
  }
}

private let comma = UInt8(ascii: ",")
