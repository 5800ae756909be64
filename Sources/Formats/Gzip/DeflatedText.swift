import CFusionZlib

/// A text as blocks of deflate (RFC 1951) that refer to nothing before them, end at a byte, and end nothing.
///
/// So it may stand anywhere in any number of gzip streams, none of which has a window of its own: zlib's state
/// for one takes 256 KiB.
package struct DeflatedText: Sendable, Equatable {
  package let bytes: [UInt8]
  package let sum: GzipSum

  /// A shorter text is not worth its time.
  package static let leastText = 256
  /// What has to be saved: less is nothing beside the headers of a packet.
  package static let leastSaving = 64

  /// What was another one's.
  package init(bytes: [UInt8], sum: GzipSum) {
    (self.bytes, self.sum) = (bytes, sum)
  }

  /// Compresses a text, on its own; nil where that does not pay, or there is no memory for it.
  package init?(compressing text: [UInt8]) {
    guard text.count >= Self.leastText, let size = UInt32(exactly: text.count),
      let bytes = deflated(text, size)
    else { return nil }
    self.init(bytes: bytes, sum: GzipSum(of: text))
  }
}

/// zlib's fastest way: the slower ones save little of JSON (45 KB: level 1 takes 0.5 ms and leaves 37 %,
/// level 3 takes 0.65 and leaves 36 %, level 6 takes 1.3 and leaves 33 %).
private func deflated(_ text: [UInt8], _ size: UInt32) -> [UInt8]? {
  var stream = unsafe z_stream()
  let (window, memory) = sizes(for: text.count)
  guard unsafe czl_deflate_init_raw(&stream, window, memory) == Z_OK else { return nil }
  defer { unsafe deflateEnd(&stream) }
  // No more room than may be used.
  return unsafe withUnsafeTemporaryAllocation(
    of: UInt8.self,
    capacity: text.count - DeflatedText.leastSaving
  ) { output in
    // zlib only reads what it compresses, though its pointer does not say so.
    unsafe text.withUnsafeBufferPointer { input in
      unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      unsafe stream.avail_in = size
      unsafe stream.next_out = output.baseAddress
      unsafe stream.avail_out = UInt32(clamping: output.count)
      // Up to a byte's end; its state is new each time, so that nothing refers to what was before.
      guard unsafe deflate(&stream, Z_SYNC_FLUSH) == Z_OK, unsafe stream.avail_in == 0,
        unsafe stream.avail_out > 0
      else { return nil }
      return unsafe Array(output[..<(output.count - Int(stream.avail_out))])
    }
  }
}

/// The bits of a window that has the whole text, and what zlib takes to find things in it: a state for 1 KiB is
/// made in 4 us, one for 32 KiB in 40.
private func sizes(for count: Int) -> (window: Int32, memory: Int32) {
  let window = min(15, max(9, Int.bitWidth - (count - 1).leadingZeroBitCount))
  return (Int32(window), Int32(min(8, window - 7)))
}
