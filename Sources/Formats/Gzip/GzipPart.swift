/// A part of a gzip stream (RFC 1952) that can be read as soon as it is there.
package struct GzipPart: Sendable, Equatable {
  package private(set) var bytes: [UInt8] = []
  package private(set) var sum = GzipSum()

  package init() {}

  /// A text as it is.
  package init(stored text: some Collection<UInt8>) {
    append(stored: text)
  }

  package mutating func append(_ text: DeflatedText) {
    bytes += text.bytes
    sum.append(text.sum)
  }

  /// A text as it is, in blocks that are not compressed (RFC 1951 §3.2.4): no size tells what is in it, and
  /// nothing refers to it.
  package mutating func append(stored text: some Collection<UInt8>) {
    bytes.reserveCapacity(bytes.count + Self.storedCount(text.count))
    var rest = text[...]
    while !rest.isEmpty {
      let block = rest.prefix(0xFFFF)
      let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
      bytes += [0, low, high, ~low, ~high]
      bytes += block
      rest = rest.dropFirst(block.count)
    }
    sum.append(text)
  }

  private static func storedCount(_ count: Int) -> Int {
    count + (count + 0xFFFE) / 0xFFFF * 5
  }
}

/// What stands around the parts of a gzip stream.
package enum GzipStream {
  /// No time, no name; made the fastest way, on some Unix (RFC 1952 §2.3).
  package static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 4, 3]

  /// The last block, which is empty, and the trailer.
  package static func ending(_ sum: GzipSum) -> [UInt8] {
    [3, 0] + sum.bytes
  }
}
