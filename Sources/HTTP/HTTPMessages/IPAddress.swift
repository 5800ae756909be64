import Glibc

/// An address of IPv6, or one of IPv4 in the form that IPv6 has for it (RFC 4291 §2.5.5.2).
package struct IPAddress: Sendable, Hashable, CustomStringConvertible {
  /// Most significant first, as the network has them.
  package let bits: UInt128

  package init(bits: UInt128) {
    self.bits = bits
  }

  /// An address of IPv4.
  package init(v4 bits: UInt32) {
    self.bits = mappedPrefix | UInt128(bits)
  }

  /// "192.0.2.7" or "2001:db8::7", without brackets, port and zone; nil for anything else.
  package init?(_ text: String) {
    var v4 = in_addr()
    var v6 = in6_addr()
    if unsafe inet_pton(AF_INET, text, &v4) == 1 {
      self.init(v4: UInt32(bigEndian: v4.s_addr))
    } else if unsafe inet_pton(AF_INET6, text, &v6) == 1 {
      let bits = unsafe withUnsafeBytes(of: v6) { unsafe $0.loadUnaligned(as: UInt128.self) }
      self.init(bits: UInt128(bigEndian: bits))
    } else {
      return nil
    }
  }

  /// Nil for an address of IPv6 alone.
  package var v4: UInt32? {
    bits & ~UInt128(UInt32.max) == mappedPrefix ? UInt32(truncatingIfNeeded: bits) : nil
  }

  /// Whether only this machine can have sent from it (RFC 6890).
  package var isLoopback: Bool {
    v4.map { $0 >> 24 == 127 } ?? (bits == 1)
  }

  /// As RFC 5952 has it.
  package var description: String {
    if let v4 { return (0..<4).reversed().map { "\(v4 >> ($0 * 8) & 255)" }.joined(separator: ".") }
    var bits = bits.bigEndian
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    _ = unsafe inet_ntop(AF_INET6, &bits, &text, socklen_t(text.count))
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

private let mappedPrefix: UInt128 = 0xFFFF << 32
