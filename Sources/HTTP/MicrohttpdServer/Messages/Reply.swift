import CFusionMicrohttpd
import FusionHTTPMessages
import Glibc

/// An owned MHD_Response, released at the end of its scope; the library retains queued ones.
///
/// The library adds the framing headers: Content-Length, Transfer-Encoding and Date.
@safe struct Reply: ~Copyable {
  private let handle: OpaquePointer

  /// Takes ownership of a response; returns nil for nil.
  private init?(_ handle: OpaquePointer?) {
    guard let handle = unsafe handle else { return nil }
    unsafe self.handle = handle
  }

  /// Creates a response with a body; copies the bytes.
  init?(_ body: [UInt8]) {
    let handle = unsafe body.withUnsafeBytes { bytes in
      // The library does not change a buffer that it copies.
      unsafe MHD_create_response_from_buffer(
        bytes.count,
        UnsafeMutableRawPointer(mutating: bytes.baseAddress),
        .RESPMEM_MUST_COPY
      )
    }
    unsafe self.init(handle)
  }

  /// Creates a response that sends its body without a copy.
  ///
  /// Holds the bytes until the library releases the response: after the last byte is sent, or the connection
  /// has ended.
  init?(_ body: SharedBytes) {
    let owner = unsafe Unmanaged<AnyObject>.passRetained(body.owner)
    let handle = unsafe MHD_create_response_from_buffer_with_free_callback_cls(
      body.count,
      // The library does not change the buffer.
      UnsafeMutableRawPointer(mutating: body.start),
      releaseObject,
      owner.toOpaque()
    )
    if unsafe handle == nil { unsafe owner.release() }
    unsafe self.init(handle)
  }

  /// Creates a response without a body, which may declare the length that the body would have.
  init?(withoutBodyOf length: Int?) {
    unsafe self.init(BodilessResponse.make(length: length))
  }

  /// Creates a response whose body the library reads from callbacks, as the peer reads it.
  ///
  /// - Parameters:
  ///   - count: the length of the body; nil if it is unknown.
  ///   - buffer: the number of bytes to read at a time. A chunked body is read into the connection's memory
  ///     instead.
  ///   - context: the callbacks' first argument, retained until `release`.
  ///   - read: fills a buffer.
  ///   - release: releases the context.
  init?(
    count: Int?,
    buffer: Int,
    context: AnyObject,
    read: MHD_ContentReaderCallback,
    release: MHD_ContentReaderFreeCallback
  ) {
    let context = unsafe Unmanaged.passRetained(context)
    let handle = unsafe MHD_create_response_from_callback(
      count.map(UInt64.init) ?? cmhd_size_unknown,
      buffer,
      read,
      context.toOpaque(),
      release
    )
    if unsafe handle == nil { unsafe context.release() }
    unsafe self.init(handle)
  }

  deinit {
    unsafe MHD_destroy_response(handle)
  }

  /// Adds a header field; returns false if the library refuses it: an empty value, or a line break in name or
  /// value.
  borrowing func add(_ name: String, _ value: String) -> Bool {
    // As String arguments, each would be copied into an array.
    unsafe name.withCString { name in
      unsafe value.withCString { value in
        unsafe MHD_add_response_header(handle, name, value) == .YES
      }
    }
  }

  borrowing func add(_ header: FixedHeaders.Header) {
    _ = unsafe MHD_add_response_header(handle, header.name.start, header.value.start)
  }

  /// Queues the response; returns false if the library refuses it.
  borrowing func queue(on connection: OpaquePointer, status: Int) -> Bool {
    unsafe MHD_queue_response(connection, UInt32(status), handle) == .YES
  }
}

/// MHD_ContentReaderFreeCallback that releases the context.
func releaseObject(_ context: UnsafeMutableRawPointer?) {
  guard let context = unsafe context else { return }
  unsafe Unmanaged<AnyObject>.fromOpaque(context).release()
}

/// The header fields of every response, converted to C strings once.
struct FixedHeaders: Sendable {
  struct Header: Sendable {
    fileprivate let name: CText
    fileprivate let value: CText
    fileprivate let field: HTTPHeaders.Field

    /// Returns whether `fields` contain one with this name.
    func isAmong(_ fields: [HTTPHeaders.Field]) -> Bool {
      for other in fields where other.isNamed(field.name) { return true }
      return false
    }
  }

  let all: [Header]

  init(_ fields: [HTTPHeaders.Field]) {
    all = fields.map { field in
      Header(
        name: CText(Array(field.name.utf8)),
        value: CText(Array(field.value.utf8)),
        field: field
      )
    }
  }
}
