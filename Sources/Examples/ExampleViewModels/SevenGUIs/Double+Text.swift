extension Double {
  /// Reads a number that a user has typed; nil for any other text.
  init?(entry text: String) {
    guard let number = Double(text.trimmed), number.isFinite else { return nil }
    self = number
  }

  /// The number with two decimals at most.
  var brief: String {
    let rounded = (self * 100).rounded() / 100
    let text = "\(rounded.isFinite ? rounded : self)"
    return text == "-0.0" ? "0" : text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension String {
  /// The text without blanks at its ends.
  var trimmed: String {
    let start = drop(while: \.isWhitespace)
    let end = start.lastIndex { !$0.isWhitespace }
    return end.map { String(start[...$0]) } ?? ""
  }
}
