import CFusionMicrohttpd
import FusionHTTPMessages
import Glibc

/// A request's head, read from the library and validated.
struct RequestHead: ~Copyable {
  private var rules = RequestGuard()
  /// The header fields, initially those of the connection's previous request.
  ///
  /// Usually only one or two values differ: the other strings, and the array, are reused.
  private var fields: [HTTPHeaders.Field]
  private var count = 0
  private var layout: HeadLayout

  var contentLength: Int { rules.contentLength }
  var isChunked: Bool { rules.isChunked }
  var hasBody: Bool { rules.isChunked || rules.contentLength > 0 }

  /// Reads all header fields of `connection`; valid only during the access handler's first call.
  init(_ connection: OpaquePointer, _ line: RequestLine, previousFields: [HTTPHeaders.Field]) {
    fields = previousFields
    layout = unsafe HeadLayout(after: line.version)
    unsafe withUnsafeMutablePointer(to: &self) { head in
      _ = unsafe MHD_get_connection_values_n(connection, .HEADER_KIND, readField, head)
    }
    if fields.count > count { fields.removeSubrange(count...) }
    let end = unsafe UInt(bitPattern: line.method.baseAddress) + UInt(cmhd_head_size(connection))
    if !layout.isWhole(endingAt: end) || !line.layout.hasWholeMethod { rules.refuse() }
  }

  /// Returns the request without its body.
  ///
  /// - Throws: the reason to refuse it.
  borrowing func request(
    target: UnsafeBufferPointer<UInt8>,
    method: UnsafeBufferPointer<UInt8>,
    version: UnsafeBufferPointer<UInt8>
  ) throws(Problem) -> HTTPRequest {
    let name = unsafe method.span
    if let problem = unsafe rules.verdict(method: name, version: version.span) { throw problem }
    guard let method = HTTPMethod(name) else { throw .unknownMethod }
    guard let target = unsafe TargetForm(target),
      // RFC 9112 §3.2.4: only OPTIONS may have this form.
      !target.target.isAsterisk || method == .options
    else { throw .badTarget }
    var headers = HTTPHeaders(fields)
    // RFC 9112 §3.2.2: an absolute target's authority replaces Host.
    if let authority = target.authority { headers["Host"] = authority }
    return HTTPRequest(method, target.target, headers: headers)
  }

  fileprivate mutating func read(
    _ name: UnsafeBufferPointer<UInt8>,
    _ value: UnsafeBufferPointer<UInt8>
  ) {
    unsafe layout.read(name: name, value: value)
    let value = unsafe trimmed(value)
    unsafe rules.read(name: name.span, value: value.span)
    defer { count += 1 }
    if count < fields.count, unsafe fields[count].contains(name, value) { return }
    let field = unsafe HTTPHeaders.Field(
      name: String(decoding: name, as: UTF8.self),
      value: String(decoding: value, as: UTF8.self)
    )
    if count < fields.count {
      fields[count] = field
    } else {
      fields.append(field)
    }
  }
}

extension HTTPHeaders.Field {
  fileprivate func contains(
    _ name: UnsafeBufferPointer<UInt8>,
    _ value: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    unsafe isEqual(self.name, name) && isEqual(self.value, value)
  }
}

private func isEqual(_ text: String, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
  guard text.utf8.count == bytes.count else { return false }
  // Strings made from bytes are contiguous UTF-8.
  return unsafe text.utf8.withContiguousStorageIfAvailable { text in
    guard let a = text.baseAddress, let b = bytes.baseAddress else { return true }
    return unsafe memcmp(a, b, text.count) == 0
  } ?? false
}

/// MHD_KeyValueIteratorN.
private func readField(
  _ context: UnsafeMutableRawPointer?,
  _ kind: MHD_ValueKind,
  _ name: UnsafePointer<CChar>?,
  _ nameSize: Int,
  _ value: UnsafePointer<CChar>?,
  _ valueSize: Int
) -> MHD_Result {
  guard let head = unsafe context?.assumingMemoryBound(to: RequestHead.self) else { return .NO }
  unsafe head.pointee.read(bytes(name, nameSize), bytes(value, valueSize))
  return .YES
}

/// Returns a value without trailing white space (RFC 9110 §5.5); the library strips leading white space.
private func trimmed(_ value: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
  var end = value.count
  while end > 0, unsafe value[end - 1] == UInt8(ascii: " ") || value[end - 1] == UInt8(ascii: "\t")
  {
    end -= 1
  }
  return unsafe UnsafeBufferPointer(rebasing: value[..<end])
}

extension HTTPMethod {
  /// Parses a method, which is case-sensitive (RFC 9110 §9.1).
  init?(_ name: Span<UInt8>) {
    guard let candidate = HTTPMethod.candidate(name) else { return nil }
    var index = 0
    for byte in candidate.rawValue.utf8 {
      if name[index] != byte { return nil }
      index += 1
    }
    self = candidate
  }

  /// Returns the only method with this length and first letter.
  private static func candidate(_ name: Span<UInt8>) -> HTTPMethod? {
    guard !name.isEmpty else { return nil }
    return switch (name[0], name.count) {
    case (UInt8(ascii: "G"), 3): .get
    case (UInt8(ascii: "H"), 4): .head
    case (UInt8(ascii: "P"), 4): .post
    case (UInt8(ascii: "P"), 3): .put
    case (UInt8(ascii: "P"), 5): .patch
    case (UInt8(ascii: "D"), 6): .delete
    case (UInt8(ascii: "O"), 7): .options
    case (UInt8(ascii: "T"), 5): .trace
    case (UInt8(ascii: "Q"), 5): .query
    case (UInt8(ascii: "C"), 7): .connect
    default: nil
    }
  }
}

/// A request's first line, as the library passes it to the access handler; valid only during the handler's
/// first call.
@safe struct RequestLine {
  let url: UnsafeBufferPointer<UInt8>
  let method: UnsafeBufferPointer<UInt8>
  let version: UnsafeBufferPointer<UInt8>
  let layout: RequestLineLayout

  init(
    _ url: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?,
    _ version: UnsafePointer<CChar>?
  ) {
    unsafe self.url = bytes(of: url)
    unsafe self.method = bytes(of: method)
    unsafe self.version = bytes(of: version)
    layout = unsafe RequestLineLayout(method: self.method, target: url, version: version)
  }
}

/// Returns the bytes of a C string; empty for nil.
func bytes(of text: UnsafePointer<CChar>?) -> UnsafeBufferPointer<UInt8> {
  unsafe bytes(text, text.map { unsafe strlen($0) } ?? 0)
}

/// Returns the bytes of a C string with a known length; empty for nil.
func bytes(_ text: UnsafePointer<CChar>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
  unsafe UnsafeBufferPointer(
    start: UnsafeRawPointer(text)?.assumingMemoryBound(to: UInt8.self),
    count: text == nil ? 0 : count
  )
}
