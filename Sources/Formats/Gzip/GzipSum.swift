import CFusionZlib

/// What the trailer of a gzip stream says of its text (RFC 1952 §2.3.1): all that whoever sends one has to
/// remember.
package struct GzipSum: Sendable, Equatable {
  private var crc: UInt32 = 0
  /// In bytes, modulo 2³².
  private var count: UInt32 = 0

  /// Of no text.
  package init() {}

  package init(of text: some Collection<UInt8>) {
    append(text)
  }

  /// What ``rawValue`` was.
  package init(rawValue: UInt64) {
    (crc, count) = (UInt32(rawValue >> 32), UInt32(truncatingIfNeeded: rawValue))
  }

  package var rawValue: UInt64 { UInt64(crc) << 32 | UInt64(count) }

  /// The text goes on with another one.
  package mutating func append(_ text: some Collection<UInt8>) {
    let isDone: Void? = text.withContiguousStorageIfAvailable { bytes in
      crc = unsafe UInt32(truncatingIfNeeded: crc32_z(UInt(crc), bytes.baseAddress, bytes.count))
    }
    guard isDone != nil else { return append(Array(text)) }
    count &+= UInt32(truncatingIfNeeded: text.count)
  }

  /// The same, by the sum of the other one: in no time, however long that is.
  package mutating func append(_ other: GzipSum) {
    crc = UInt32(
      truncatingIfNeeded: crc32_combine(UInt(crc), UInt(other.crc), Int(other.count))
    )
    count &+= other.count
  }

  /// The trailer.
  package var bytes: [UInt8] {
    [crc, count].flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
  }
}
