/// A host with an optional port: `example.org`, `127.0.0.1:8080`, `[2001:db8::7]:8080` (RFC 9110 §7.2; RFC
/// 3986 §3.2.2 and §3.2.3, without user information).
///
/// Unlike in RFC 3986, the host may contain neither percent escapes nor `!$&'()*+,;=`, which no DNS name has:
/// a host can therefore be written into a list or a header without ending it.
package struct HostAndPort: Sendable, Hashable, CustomStringConvertible {
  /// The host in lower case, an IPv6 address in brackets.
  package let host: String
  /// The port; nil if it is absent or empty.
  package let port: UInt16?

  /// Parses a host in any case, with or without a port; returns nil for any other text.
  package init?(_ text: String) {
    guard let parts = parse(text.utf8Span.span) else { return nil }
    host = String(decoding: text.utf8.prefix(parts.host).map(\.asciiLowercased), as: UTF8.self)
    port = parts.port
  }

  /// Returns whether `bytes` are a host with an optional port.
  ///
  /// Does not allocate, since it runs for each request.
  package static func isValid(_ bytes: Span<UInt8>) -> Bool {
    parse(bytes) != nil
  }

  /// The host as an address; nil if it is a name.
  package var address: IPAddress? {
    IPAddress(host.first == "[" ? String(host.dropFirst().dropLast()) : host)
  }

  /// Returns whether `text` has this host, in any case, and this port; if this has no port, any port matches.
  ///
  /// Does not allocate, since it runs for each request.
  package func covers(_ text: String) -> Bool {
    let (bytes, host) = (text.utf8Span.span, host.utf8Span.span)
    guard let parts = parse(bytes), parts.host == host.count else { return false }
    for index in host.indices where bytes[index].asciiLowercased != host[index] { return false }
    return port == nil || port == parts.port
  }

  package var description: String {
    port.map { "\(host):\($0)" } ?? host
  }
}

/// Returns the length of the host and the port; nil if the bytes have another form.
private func parse(_ bytes: Span<UInt8>) -> (host: Int, port: UInt16?)? {
  guard !bytes.isEmpty else { return nil }
  let isBracketed = bytes[0] == UInt8(ascii: "[")
  let allowed = isBracketed ? ByteSet.ipLiteral : ByteSet.unreserved
  let start = isBracketed ? 1 : 0
  var end = start
  while end < bytes.count, allowed.contains(bytes[end]) { end += 1 }
  guard end > start else { return nil }
  if isBracketed {
    guard end < bytes.count, bytes[end] == UInt8(ascii: "]") else { return nil }
    end += 1
  }
  guard end < bytes.count else { return (end, nil) }
  guard bytes[end] == UInt8(ascii: ":") else { return nil }
  guard end + 1 < bytes.count else { return (end, nil) }
  var port: UInt16 = 0
  for index in end + 1..<bytes.count {
    guard ByteSet.digits.contains(bytes[index]) else { return nil }
    let (tens, overflows) = port.multipliedReportingOverflow(by: 10)
    let (sum, carries) = tens.addingReportingOverflow(UInt16(bytes[index] - UInt8(ascii: "0")))
    guard !overflows, !carries else { return nil }
    port = sum
  }
  return (end, port)
}
