/// What led to the next stored turn, as it comes: objects of JSON, one a line.
///
/// Turns that are not stored leave theirs for the next one that is, but not without end: of what is
/// over 64 KiB, the newest remains, which is what led to that turn.
struct RecordedTrace {
  private static let limit = 64 * 1024
  private static let cut = Array("{\"cut\":true}\n".utf8)

  private var lines: [UInt8] = []

  mutating func append(_ line: [UInt8]) {
    if lines.count + line.count >= Self.limit {
      lines = Self.cut
      guard lines.count + line.count < Self.limit else { return }
    }
    lines += line
    lines.append(UInt8(ascii: "\n"))
  }

  mutating func take() -> [UInt8] {
    var taken: [UInt8] = []
    swap(&taken, &lines)
    return taken
  }
}
