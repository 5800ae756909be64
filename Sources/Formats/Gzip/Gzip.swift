import CFusionZlib

/// Compresses bytes to the gzip format (RFC 1952), as small as zlib makes them.
///
/// Equal bytes give equal results, since neither a time nor a name is written.
///
/// - Returns: nil if memory runs out.
package func gzipped(_ bytes: [UInt8]) -> [UInt8]? {
  var stream = unsafe z_stream()
  guard let size = UInt32(exactly: bytes.count), unsafe czl_deflate_init_gzip(&stream) == Z_OK
  else {
    return nil
  }
  defer { unsafe deflateEnd(&stream) }
  // Room for the whole output, so that one call is enough.
  guard let room = unsafe Int(exactly: deflateBound(&stream, UInt(size))) else { return nil }
  var isWhole = false
  // zlib does not change its input, though the pointer is mutable.
  let compressed = unsafe bytes.withUnsafeBufferPointer { input in
    unsafe [UInt8](unsafeUninitializedCapacity: room) { output, count in
      unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      unsafe stream.avail_in = size
      unsafe stream.next_out = output.baseAddress
      unsafe stream.avail_out = UInt32(clamping: output.count)
      isWhole = unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END
      count = unsafe Int(stream.total_out)
    }
  }
  return isWhole ? compressed : nil
}
