import CFusionZlib

/// A part of a gzip stream (RFC 1952) that a reader can decompress as soon as it arrives.
package struct GzipPart: Sendable, Equatable {
  package private(set) var bytes: [UInt8] = []
  package private(set) var sum = GzipSum()

  /// Creates an empty part.
  package init() {}

  /// Creates a part with an uncompressed text.
  package init(stored text: some Collection<UInt8>) {
    append(stored: text)
  }

  /// Appends a compressed text.
  package mutating func append(_ text: DeflatedText) {
    bytes += text.bytes
    sum.append(text.sum)
  }

  /// Appends a text in uncompressed blocks (RFC 1951 §3.2.4), whose size reveals nothing about the contents.
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

/// The bytes around the parts of a gzip stream.
package enum GzipStream {
  /// The header: no time, no name, fastest level, on Unix (RFC 1952 §2.3).
  package static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 4, 3]

  /// Returns the last block, which is empty, and the trailer.
  package static func ending(_ sum: GzipSum) -> [UInt8] {
    [3, 0] + sum.bytes
  }
}

/// The checksum and length of a gzip stream's text, for its trailer (RFC 1952 §2.3.1).
package struct GzipSum: Sendable, Equatable {
  private var crc: UInt32 = 0
  /// The text's length in bytes, modulo 2³².
  private var count: UInt32 = 0

  /// Creates the sum of an empty text.
  package init() {}

  /// Creates the sum of a text.
  package init(of text: some Collection<UInt8>) {
    append(text)
  }

  /// Creates a sum from its ``rawValue``.
  package init(rawValue: UInt64) {
    (crc, count) = (UInt32(rawValue >> 32), UInt32(truncatingIfNeeded: rawValue))
  }

  /// The sum as one number, for storage.
  package var rawValue: UInt64 { UInt64(crc) << 32 | UInt64(count) }

  /// Adds a text after the previous ones.
  package mutating func append(_ text: some Collection<UInt8>) {
    let isDone: Void? = text.withContiguousStorageIfAvailable { bytes in
      crc = unsafe UInt32(truncatingIfNeeded: crc32_z(UInt(crc), bytes.baseAddress, bytes.count))
    }
    guard isDone != nil else { return append(Array(text)) }
    count &+= UInt32(truncatingIfNeeded: text.count)
  }

  /// Adds a text by its sum, in constant time.
  package mutating func append(_ other: GzipSum) {
    crc = UInt32(
      truncatingIfNeeded: crc32_combine(UInt(crc), UInt(other.crc), Int(other.count))
    )
    count &+= other.count
  }

  /// The trailer's bytes.
  package var bytes: [UInt8] {
    [crc, count].flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
  }
}
