import Glibc

/// A text as C wants it, with a zero at its end, for as long as this lives.
@safe final class CText: Sendable {
  nonisolated(unsafe) let start: UnsafeMutablePointer<CChar>
  // Guard: written once in init; what the library is given, it only reads.
  private let count: Int

  init(_ bytes: [UInt8]) {
    count = bytes.count + 1
    unsafe start = .allocate(capacity: count)
    for (index, byte) in bytes.enumerated() { unsafe start[index] = CChar(bitPattern: byte) }
    unsafe start[bytes.count] = 0
  }

  deinit {
    // It may have been a key.
    unsafe explicit_bzero(start, count)
    unsafe start.deallocate()
  }
}
