/// What led to a State, as it comes: objects of JSON, one a line.
///
/// An Input that changes nothing is kept for the next State's entry, but not without end: of what is
/// too much, the newest remains, which is what led to that State.
struct Trace {
  private static let limit = 64 * 1024
  private static let cut = Array("{\"cut\":true}\n".utf8)

  private var lines: [UInt8] = []

  /// A view model has come back from the store: what it kept beside its stored State is gone.
  static func restored(from format: Int, as current: Int) -> [UInt8] {
    let migrated = format == current ? "" : #","migrated":{"from":\#(format),"to":\#(current)}"#
    return Array(#"{"restored":true\#(migrated)}"#.utf8)
  }

  mutating func append(_ event: [UInt8]) {
    if lines.count + event.count >= Self.limit {
      lines = Self.cut
      guard lines.count + event.count < Self.limit else { return }
    }
    lines += event
    lines.append(UInt8(ascii: "\n"))
  }

  mutating func take() -> [UInt8] {
    defer { self = Trace() }
    return lines
  }
}
