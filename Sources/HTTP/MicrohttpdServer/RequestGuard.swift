import FusionHTTPMessages

/// The rules that a request's head keeps before any of it is believed.
///
/// libmicrohttpd 0.9.75 passes on what smuggles requests past a proxy: two Hosts, two lengths, a
/// length beside chunks, chunks over HTTP/1.0. Field by field first, ``verdict(method:version:)``
/// at the end. Runs once per request in the measured path: bytes only, nothing is allocated.
struct RequestGuard {
  private var hosts = 0
  private var lengths = 0
  private var encodings = 0
  private var isMalformed = false
  private var isBadHost = false
  private var isBadFraming = false
  /// What Content-Length declares; as large as can be where it does not fit.
  private(set) var contentLength = 0
  var isChunked: Bool { encodings > 0 }

  /// Takes one header field into account.
  mutating func read(name: Span<UInt8>, value: Span<UInt8>) {
    // RFC 9110 §5.1 and §5.5: a name is a token, a value holds no control bytes but tabs.
    if name.isEmpty || !isToken(name) || containsControls(value) { isMalformed = true }
    switch name.count {
    case 4 where isNamed(name, "host"):
      hosts += 1
      if !isAuthority(value) { isBadHost = true }
    case 14 where isNamed(name, "content-length"):
      lengths += 1
      readLength(value)
    case 17 where isNamed(name, "transfer-encoding"):
      encodings += 1
      // RFC 9112 §6.1: no other coding is implemented here.
      if !isNamed(value, "chunked") { isBadFraming = true }
    default:
      break
    }
  }

  /// Takes into account that the head itself is malformed.
  mutating func refuse() {
    isMalformed = true
  }

  /// What is wrong with the request, nil where nothing is.
  func verdict(method: Span<UInt8>, version: Span<UInt8>) -> Problem? {
    if isMalformed || method.isEmpty || !isToken(method) { return .malformedRequest }
    guard let minor = minorVersion(version) else { return .unknownVersion }
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

/// 0 or 1 for the versions that are spoken here.
private func minorVersion(_ version: Span<UInt8>) -> Int? {
  guard version.count == 8 else { return nil }
  if isNamed(version, "http/1.1"), version[0] == UInt8(ascii: "H") { return 1 }
  if isNamed(version, "http/1.0"), version[0] == UInt8(ascii: "H") { return 0 }
  return nil
}

/// Whether `bytes` are a host and, if any, a port (RFC 3986 §3.2, without user information).
///
/// Narrower than the grammar by the comma, with which two Hosts may have been folded into one.
func isAuthority(_ bytes: Span<UInt8>) -> Bool {
  guard !bytes.isEmpty else { return false }
  var index = 0
  if bytes[0] == UInt8(ascii: "[") {
    index = 1
    while index < bytes.count, addressBytes.contains(bytes[index]) { index += 1 }
    guard index > 1, index < bytes.count, bytes[index] == UInt8(ascii: "]") else { return false }
    index += 1
  } else {
    while index < bytes.count, hostBytes.contains(bytes[index]) { index += 1 }
    guard index > 0 else { return false }
  }
  guard index < bytes.count else { return true }
  guard bytes[index] == UInt8(ascii: ":"), bytes.count - index <= 6 else { return false }
  for digit in index + 1..<bytes.count where bytes[digit] &- UInt8(ascii: "0") >= 10 {
    return false
  }
  return true
}

/// Whether `bytes` are `name`, which is given in lower case, in any case.
func isNamed(_ bytes: Span<UInt8>, _ name: StaticString) -> Bool {
  guard bytes.count == name.utf8CodeUnitCount else { return false }
  return name.withUTF8Buffer { name in
    for index in bytes.indices {
      let byte = bytes[index]
      let lowered = byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
      if unsafe lowered != name[index] { return false }
    }
    return true
  }
}

private func isToken(_ bytes: Span<UInt8>) -> Bool {
  let tokens = tokenBytes
  for index in bytes.indices where !tokens.contains(bytes[index]) { return false }
  return true
}

private func containsControls(_ bytes: Span<UInt8>) -> Bool {
  // Without branches, so that the compiler takes many bytes at a time.
  var found: UInt8 = 0
  for index in bytes.indices {
    let byte = bytes[index]
    found |= (byte < 0x20 ? 1 : 0) & (byte == 0x09 ? 0 : 1) | (byte == 0x7f ? 1 : 0)
  }
  return found != 0
}

/// A set of ASCII bytes, as bits: constants, so that using one costs no check of a lazy global.
private struct ByteSet {
  /// Bytes 0 to 63.
  let low: UInt64
  /// Bytes 64 to 127.
  let high: UInt64

  func contains(_ byte: UInt8) -> Bool {
    byte < 128 && (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 == 1
  }
}

/// RFC 9110 §5.6.2: letters, digits and `!#$%&'*+-.^_|~` as well as the backtick.
private let tokenBytes = ByteSet(low: 0x03ff_6cfa_0000_0000, high: 0x57ff_ffff_c7ff_fffe)
/// RFC 3986 §3.2.2: unreserved, percent escapes and sub-delimiters, without the comma.
private let hostBytes = ByteSet(low: 0x2bff_6ff2_0000_0000, high: 0x47ff_fffe_87ff_fffe)
/// Hexadecimal digits, colon and dot.
private let addressBytes = ByteSet(low: 0x07ff_4000_0000_0000, high: 0x0000_007e_0000_007e)
