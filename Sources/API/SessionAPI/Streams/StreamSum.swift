import FusionGzip

/// What a compressed stream has to remember of all that it has sent.
struct StreamSum {
  private enum Phase {
    case new, begun, ended
  }

  private var phase = Phase.new
  private var sum = GzipSum()

  /// A part is sent; returns what has to come before it.
  mutating func append(_ part: GzipSum) -> [UInt8] {
    sum.append(part)
    defer { phase = .begun }
    return phase == .new ? GzipStream.header : []
  }

  /// What ends the stream in due form; nil where that was sent.
  mutating func end() -> [UInt8]? {
    guard phase != .ended else { return nil }
    defer { phase = .ended }
    return (phase == .new ? GzipStream.header : []) + GzipStream.ending(sum)
  }
}
