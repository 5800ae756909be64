/// Bytes that stay where they are, however many answers are sending them at once.
///
/// What an array holds has an address only for the length of a call. A server that sends from
/// memory needs one for as long as its slowest reader takes, and without it would copy the bytes for
/// each reader. Copying this value, and taking a part of it, copies no bytes.
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

  /// The part at `part`, counted from the beginning of these bytes.
  ///
  /// - Precondition: they have such a part.
  package subscript(part: Range<Int>) -> SharedBytes {
    precondition(part.lowerBound >= 0 && part.upperBound <= count, "no such part")
    let start = range.lowerBound + part.lowerBound
    return SharedBytes(memory, start..<start + part.count)
  }

  /// A copy.
  package var array: [UInt8] { unsafe Array(UnsafeRawBufferPointer(start: start, count: count)) }

  /// Where the bytes are, for as long as ``owner`` lives.
  package var start: UnsafeRawPointer { unsafe memory.start + range.lowerBound }

  /// What keeps them there.
  package var owner: AnyObject { memory }

  @safe private final class Memory: Sendable {
    nonisolated(unsafe) let start: UnsafeRawPointer
    // Guard: written once in init; the bytes are only read from then on.

    init(_ bytes: [UInt8]) {
      let start = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 1)
      unsafe UnsafeMutableRawBufferPointer(start: start, count: bytes.count).copyBytes(from: bytes)
      unsafe self.start = UnsafeRawPointer(start)
    }

    deinit { unsafe start.deallocate() }
  }
}
