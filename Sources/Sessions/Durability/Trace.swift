/// What led to a State, as it comes: objects of JSON, one a line.
///
/// An Input that changes nothing is kept for the next State's entry, but not without end.
struct Trace {
  private static let limit = 64 * 1024
  private static let cut = Array(#"{"cut":true}"#.utf8)

  private var lines: [UInt8] = []
  private var isCut = false

  mutating func append(_ event: [UInt8]) {
    guard !isCut else { return }
    isCut = lines.count + event.count > Self.limit
    lines += isCut ? Self.cut : event
    lines.append(UInt8(ascii: "\n"))
  }

  mutating func take() -> [UInt8] {
    defer { self = Trace() }
    return lines
  }
}
