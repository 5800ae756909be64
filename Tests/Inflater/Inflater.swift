import CFusionZlib

/// A reader of gzip streams (zlib) that returns the text of each part as soon as it has read the part.
package final class Inflater {
  package struct Fault: Error {
    package let code: Int32
  }

  private let stream: UnsafeMutablePointer<z_stream>
  /// Whether the trailer was read, and was correct.
  package private(set) var isAtEnd = false

  package init() throws {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // A window of 15 bits, and 16 for the gzip format.
    let code = inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { throw Fault(code: code) }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Returns the text that follows from the bytes, after the text returned before.
  package func read(_ bytes: some Collection<UInt8>) throws -> [UInt8] {
    var (input, text) = (Array(bytes), [UInt8]())
    var room = [UInt8](repeating: 0, count: 65_536)
    try input.withUnsafeMutableBufferPointer { input in
      stream.pointee.next_in = input.baseAddress
      stream.pointee.avail_in = UInt32(input.count)
      while !isAtEnd {
        let code = room.withUnsafeMutableBufferPointer { room in
          stream.pointee.next_out = room.baseAddress
          stream.pointee.avail_out = UInt32(room.count)
          return inflate(stream, Z_SYNC_FLUSH)
        }
        text += room[..<(room.count - Int(stream.pointee.avail_out))]
        isAtEnd = code == Z_STREAM_END
        // No more text without further bytes.
        if code == Z_BUF_ERROR { break }
        guard code == Z_OK || isAtEnd else { throw Fault(code: code) }
      }
      if stream.pointee.avail_in > 0 { throw Fault(code: Z_DATA_ERROR) }
    }
    return text
  }
}
