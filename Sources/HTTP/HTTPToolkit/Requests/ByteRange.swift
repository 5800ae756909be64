/// The part that a `Range` header asks for, of a body of a known length (RFC 9110 §14.1.2).
enum ByteRange: Equatable {
  /// No range that is supported: other units, another form, or several; the whole body is a right answer.
  case whole
  case part(Range<Int>)
  case unsatisfiable

  init(_ text: String, of length: Int) {
    guard let ranges = text.wholeMatch(of: /(?i:bytes)=[ \t]*([0-9]*)-([0-9]*)[ \t]*/) else {
      self = .whole
      return
    }
    // Digits alone: a number that does not fit is larger than any body.
    let (first, last) = (ranges.1, ranges.2)
    switch (first.isEmpty, last.isEmpty) {
    case (true, true):
      self = .whole
    case (true, false):
      let count = Int(last) ?? .max
      self = count == 0 || length == 0 ? .unsatisfiable : .part(max(0, length - count)..<length)
    case (false, _):
      let start = Int(first) ?? .max
      let end = last.isEmpty ? .max : Int(last) ?? .max
      guard end >= start else {
        self = .whole
        return
      }
      self = start < length ? .part(start..<min(end, length - 1) + 1) : .unsatisfiable
    }
  }
}
