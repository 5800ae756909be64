import CFusionMicrohttpd
import FusionHTTPMessages

/// One MHD_Response of ours, released at the end of its scope; the library keeps what it queued.
///
/// The framing headers are the library's: Content-Length, Transfer-Encoding and Date.
@safe struct Reply: ~Copyable {
  private let handle: OpaquePointer

  /// Owns a response of the library's from here on.
  init(_ handle: OpaquePointer) {
    unsafe self.handle = handle
  }

  /// An answer with all of its body; the bytes are copied.
  init?(_ body: [UInt8]) {
    let handle = unsafe body.withUnsafeBytes { bytes in
      // The library only reads from a buffer that it is to copy.
      unsafe MHD_create_response_from_buffer(
        bytes.count,
        UnsafeMutableRawPointer(mutating: bytes.baseAddress),
        .RESPMEM_MUST_COPY
      )
    }
    guard let handle = unsafe handle else { return nil }
    unsafe self.handle = handle
  }

  /// An answer with all of its body, sent from where the bytes are.
  ///
  /// They are kept until the library lets go of the response, which is when the last byte was sent
  /// or the connection has ended.
  init?(_ body: SharedBytes) {
    let owner = unsafe Unmanaged<AnyObject>.passRetained(body.owner)
    let handle = unsafe MHD_create_response_from_buffer_with_free_callback_cls(
      body.count,
      // The library only reads from it.
      UnsafeMutableRawPointer(mutating: body.start),
      releaseBody,
      owner.toOpaque()
    )
    guard let handle = unsafe handle else {
      unsafe owner.release()
      return nil
    }
    unsafe self.handle = handle
  }

  /// An answer that says how long its body would be, or nothing of it, and has none.
  ///
  /// To HEAD (RFC 9110 §9.3.2), and 304 (§15.4.5).
  /// Without a length the connection closes: the library can leave out Content-Length only from
  /// a body of unknown size, whose chunked form would put a stray last chunk on the wire.
  init?(withoutBodyOf length: Int?) {
    let size = length.map(UInt64.init) ?? cmhd_size_unknown
    guard let handle = unsafe MHD_create_response_from_callback(size, 1, readNothing, nil, nil)
    else { return nil }
    unsafe self.handle = handle
    if length == nil {
      _ = unsafe cmhd_without_chunks(handle)
    }
  }

  /// An answer whose body `connection` reads from its stream; the library's own call ends it.
  ///
  /// Chunks (to a client that speaks HTTP/1.1) are made in the connection's memory, so that the
  /// response needs next to none; without them it needs a buffer of its own.
  init?(streamOf connection: Connection, isChunked: Bool) {
    let context = unsafe Unmanaged.passRetained(connection)
    let handle = unsafe MHD_create_response_from_callback(
      cmhd_size_unknown,
      isChunked ? 16 : 4096,
      readStream,
      context.toOpaque(),
      endStream
    )
    guard let handle = unsafe handle else {
      unsafe context.release()
      return nil
    }
    unsafe self.handle = handle
  }

  deinit {
    unsafe MHD_destroy_response(handle)
  }

  /// False where the library refuses it: an empty value, or a line break in name or value.
  borrowing func add(_ name: String, _ value: String) -> Bool {
    // Not as String arguments, each of which would be copied into an array.
    unsafe name.withCString { name in
      unsafe value.withCString { value in
        unsafe MHD_add_response_header(handle, name, value) == .YES
      }
    }
  }

  borrowing func add(_ header: FixedHeaders.Header) {
    _ = unsafe MHD_add_response_header(handle, header.name, header.value)
  }

  /// Hands the answer to the library; false where it does not take it.
  borrowing func queue(on connection: OpaquePointer, status: Int) -> Bool {
    unsafe MHD_queue_response(connection, UInt32(status), handle) == .YES
  }
}

/// MHD_ContentReaderCallback of a body that is never sent.
private func readNothing(
  _ context: UnsafeMutableRawPointer?,
  _ position: UInt64,
  _ buffer: UnsafeMutablePointer<CChar>?,
  _ size: Int
) -> Int {
  cmhd_end_of_stream
}

/// MHD_ContentReaderCallback; the library holds the response's mutex, which no code of ours takes.
private func readStream(
  _ context: UnsafeMutableRawPointer?,
  _ position: UInt64,
  _ buffer: UnsafeMutablePointer<CChar>?,
  _ size: Int
) -> Int {
  guard let context = unsafe context else { return cmhd_end_of_stream }
  return unsafe Unmanaged<Connection>.fromOpaque(context)._withUnsafeGuaranteedRef { connection in
    unsafe connection.readStream(
      into: UnsafeMutableRawBufferPointer(start: buffer, count: size)
    )
  }
}

/// MHD_ContentReaderFreeCallback of a body that is shared.
private func releaseBody(_ owner: UnsafeMutableRawPointer?) {
  guard let owner = unsafe owner else { return }
  unsafe Unmanaged<AnyObject>.fromOpaque(owner).release()
}

/// MHD_ContentReaderFreeCallback: once per response, however it ended, also if it was not queued.
private func endStream(_ context: UnsafeMutableRawPointer?) {
  guard let context = unsafe context else { return }
  unsafe Unmanaged<Connection>.fromOpaque(context).takeRetainedValue().endStream()
}
