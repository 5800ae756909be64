import FusionGzip

/// The running checksum of a compressed stream, with which the stream ends.
struct StreamSum {
  private enum Phase {
    case new, begun, ended
  }

  private var phase = Phase.new
  private var sum = GzipSum()

  /// Adds a part that is about to be sent; returns the bytes that have to come before it.
  mutating func append(_ part: GzipSum) -> [UInt8] {
    sum.append(part)
    defer { phase = .begun }
    return phase == .new ? GzipStream.header : []
  }

  /// Returns the bytes that complete the stream; nil where they were returned before.
  mutating func end() -> [UInt8]? {
    guard phase != .ended else { return nil }
    defer { phase = .ended }
    return (phase == .new ? GzipStream.header : []) + GzipStream.ending(sum)
  }
}
