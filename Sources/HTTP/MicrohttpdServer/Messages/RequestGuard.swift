import FusionHTTPMessages

/// The rules that a request's head must satisfy before the server relies on it.
///
/// They refuse the means of smuggling requests past a proxy: two Hosts, two lengths, a length together with
/// chunks, chunks over HTTP/1.0. Callers pass each field to `read`, then ask for the
/// ``verdict(method:version:)``. Runs for each request, so it works on bytes and does not allocate.
struct RequestGuard {
  private var hosts = 0
  private var lengths = 0
  private var encodings = 0
  private var isMalformed = false
  private var isBadHost = false
  private var isBadFraming = false
  /// The value of Content-Length, clamped.
  private(set) var contentLength = 0
  var isChunked: Bool { encodings > 0 }

  /// Takes one header field into account.
  mutating func read(name: Span<UInt8>, value: Span<UInt8>) {
    // RFC 9110 §5.1 and §5.5: a name is a token, a value contains no control characters except tabs.
    if name.isEmpty || !ByteSet.token.containsAll(of: name) || containsControls(value) {
      isMalformed = true
    }
    switch name.count {
    case 4 where isNamed(name, "host"):
      hosts += 1
      if !HostAndPort.isValid(value) { isBadHost = true }
    case 14 where isNamed(name, "content-length"):
      lengths += 1
      readLength(value)
    case 17 where isNamed(name, "transfer-encoding"):
      encodings += 1
      // RFC 9112 §6.1: the server implements no other coding.
      if !isNamed(value, "chunked") { isBadFraming = true }
    default:
      break
    }
  }

  /// Notes that the head itself is malformed.
  mutating func refuse() {
    isMalformed = true
  }

  /// Returns the problem of the request; nil if it has none.
  func verdict(method: Span<UInt8>, version: Span<UInt8>) -> Problem? {
    if isMalformed || method.isEmpty || !ByteSet.token.containsAll(of: method) {
      return .malformedRequest
    }
    guard let minor = minorVersion(version) else { return .unknownHTTPVersion }
    // RFC 9112 §3.2.
    if isBadHost || hosts > 1 || (minor == 1 && hosts == 0) { return .badHost }
    // RFC 9112 §6.1 and §6.3.
    if isBadFraming || lengths > 1 || encodings > 1 { return .badFraming }
    if encodings == 1, lengths == 1 || minor == 0 { return .badFraming }
    return nil
  }

  private mutating func readLength(_ value: Span<UInt8>) {
    if value.isEmpty { isBadFraming = true }
    for index in value.indices {
      let digit = value[index] &- UInt8(ascii: "0")
      guard digit < 10 else {
        isBadFraming = true
        return
      }
      let (tens, overflows) = contentLength.multipliedReportingOverflow(by: 10)
      let (sum, carries) = tens.addingReportingOverflow(Int(digit))
      contentLength = overflows || carries ? .max : sum
    }
  }
}

/// Returns 0 or 1 for HTTP/1.0 and HTTP/1.1.
private func minorVersion(_ version: Span<UInt8>) -> Int? {
  guard version.count == 8 else { return nil }
  if isNamed(version, "http/1.1"), version[0] == UInt8(ascii: "H") { return 1 }
  if isNamed(version, "http/1.0"), version[0] == UInt8(ascii: "H") { return 0 }
  return nil
}

private func containsControls(_ bytes: Span<UInt8>) -> Bool {
  // Without branches, so that the compiler can vectorize the loop.
  var found: UInt8 = 0
  for index in bytes.indices {
    let byte = bytes[index]
    found |= (byte < 0x20 ? 1 : 0) & (byte == 0x09 ? 0 : 1) | (byte == 0x7f ? 1 : 0)
  }
  return found != 0
}
