import FusionHTTPMessages

/// A request target in origin, absolute or asterisk form (RFC 9112 §3.2).
struct TargetForm {
  let target: RequestTarget
  /// The host and port of an absolute target; nil in the other forms.
  let authority: String?

  /// Parses a target; returns nil for any other form.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    if let plain = unsafe plainTarget(bytes) {
      target = plain
      authority = nil
      return
    }
    if bytes.count == 1, unsafe bytes[0] == UInt8(ascii: "*") {
      target = .asterisk
      authority = nil
      return
    }
    // RFC 9112 §3.2: no white space in a target. Bytes above ASCII must at least be UTF-8.
    guard unsafe bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else { return nil }
    guard let text = unsafe String(validating: bytes, as: UTF8.self) else { return nil }
    if text.utf8.first == UInt8(ascii: "/") {
      guard let target = RequestTarget(text) else { return nil }
      self.target = target
      authority = nil
      return
    }
    guard let start = TargetForm.authorityStart(text.utf8) else { return nil }
    let rest = text.utf8[start...]
    let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
    let host = Array(rest[..<(end ?? rest.endIndex)])
    guard HostAndPort.isValid(host.span) else { return nil }
    let origin = String(text[(end ?? text.endIndex)...])
    // RFC 9112 §3.2.1: an empty path is sent as a slash.
    guard let target = RequestTarget(origin.utf8.first == UInt8(ascii: "/") ? origin : "/" + origin)
    else { return nil }
    self.target = target
    authority = String(decoding: host, as: UTF8.self)
  }

  /// Returns the start of the authority, after "http://" or "https://".
  private static func authorityStart(_ text: String.UTF8View) -> String.Index? {
    for scheme in ["http://", "https://"] where text.count > scheme.utf8.count {
      if equalWithoutCase(String(Substring(text.prefix(scheme.utf8.count))), scheme) {
        return text.index(text.startIndex, offsetBy: scheme.utf8.count)
      }
    }
    return nil
  }
}

/// Returns the target of a path without escapes and a query; nil for any other.
///
/// Nearly all requests have such a target: this takes a tenth of the time of `RequestTarget.init`.
private func plainTarget(_ bytes: UnsafeBufferPointer<UInt8>) -> RequestTarget? {
  guard bytes.count > 1, unsafe bytes[0] == UInt8(ascii: "/") else { return nil }
  var slashes = 0
  for index in bytes.indices {
    let byte = unsafe bytes[index]
    guard byte > 0x20, byte < 0x7f, byte != UInt8(ascii: "%"), byte != UInt8(ascii: "?") else {
      return nil
    }
    if byte == UInt8(ascii: "/") { slashes += 1 }
  }
  var segments: [String] = []
  segments.reserveCapacity(slashes)
  var start = 1
  for index in 1...bytes.count
  where unsafe index == bytes.count || bytes[index] == UInt8(ascii: "/") {
    let segment = unsafe UnsafeBufferPointer(rebasing: bytes[start..<index])
    unsafe segments.append(String(decoding: segment, as: UTF8.self))
    start = index + 1
  }
  return RequestTarget(segments: segments)
}
