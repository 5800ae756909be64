/// Bytes at a stable address, so that many responses can send them at once without a copy.
///
/// An array's address is valid only during a call; a server needs an address until its slowest reader has
/// finished. Copying this value, or taking a part of it, copies no bytes.
package struct SharedBytes: Sendable {
  private let memory: Memory
  private let range: Range<Int>

  package init(_ bytes: [UInt8]) {
    memory = Memory(bytes)
    range = 0..<bytes.count
  }

  private init(_ memory: Memory, _ range: Range<Int>) {
    self.memory = memory
    self.range = range
  }

  package var count: Int { range.count }

  /// The bytes at `part`, counted from the beginning of this value.
  ///
  /// - Precondition: the range lies within the bytes.
  package subscript(part: Range<Int>) -> SharedBytes {
    precondition(part.lowerBound >= 0 && part.upperBound <= count, "no such part")
    let start = range.lowerBound + part.lowerBound
    return SharedBytes(memory, start..<start + part.count)
  }

  /// A copy of the bytes.
  package var array: [UInt8] { unsafe Array(UnsafeRawBufferPointer(start: start, count: count)) }

  /// The address of the bytes, valid as long as ``owner`` lives.
  package var start: UnsafeRawPointer { unsafe memory.start + range.lowerBound }

  /// The object that keeps the bytes alive.
  package var owner: AnyObject { memory }

  @safe private final class Memory: Sendable {
    nonisolated(unsafe) let start: UnsafeRawPointer
    // Guard: written once in init; afterwards the bytes are only read.

    init(_ bytes: [UInt8]) {
      let start = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 1)
      unsafe UnsafeMutableRawBufferPointer(start: start, count: bytes.count).copyBytes(from: bytes)
      unsafe self.start = UnsafeRawPointer(start)
    }

    deinit { unsafe start.deallocate() }
  }
}

/// A body that is read as it is sent, a part at a time, such as a file too large for memory.
package protocol BodySource: Sendable {
  /// Reads bytes from `place` on into a non-empty buffer; returns their number, or 0 if the source has
  /// changed or is gone.
  ///
  /// Called on a server thread, which waits for it.
  func read(from place: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int
}
