import Glibc

/// A C string that lives as long as this object.
@safe final class CText: Sendable {
  nonisolated(unsafe) let start: UnsafeMutablePointer<CChar>
  // Guard: written once in init; the library only reads it.
  private let count: Int

  init(_ bytes: [UInt8]) {
    count = bytes.count + 1
    unsafe start = .allocate(capacity: count)
    for (index, byte) in bytes.enumerated() { unsafe start[index] = CChar(bitPattern: byte) }
    unsafe start[bytes.count] = 0
  }

  deinit {
    // The text may be a private key.
    unsafe explicit_bzero(start, count)
    unsafe start.deallocate()
  }
}
