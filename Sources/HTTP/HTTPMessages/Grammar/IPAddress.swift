import Glibc

/// An IPv6 address, or an IPv4 address in IPv4-mapped form (RFC 4291 §2.5.5.2).
package struct IPAddress: Sendable, Hashable, CustomStringConvertible {
  /// The 128 bits, in the host's byte order.
  package let bits: UInt128

  package init(bits: UInt128) {
    self.bits = bits
  }

  /// An IPv4 address, in the host's byte order.
  package init(v4 bits: UInt32) {
    self.bits = mappedPrefix | UInt128(bits)
  }

  /// Parses "192.0.2.7" or "2001:db8::7", without brackets, port and zone; nil for any other text.
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

  /// The IPv4 address; nil for any other IPv6 address.
  package var v4: UInt32? {
    bits & ~UInt128(UInt32.max) == mappedPrefix ? UInt32(truncatingIfNeeded: bits) : nil
  }

  /// Whether the address is a loopback address (RFC 6890).
  package var isLoopback: Bool {
    v4.map { $0 >> 24 == 127 } ?? (bits == 1)
  }

  /// The canonical text (RFC 5952).
  package var description: String {
    if let v4 { return (0..<4).reversed().map { "\(v4 >> ($0 * 8) & 255)" }.joined(separator: ".") }
    var bits = bits.bigEndian
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    _ = unsafe inet_ntop(AF_INET6, &bits, &text, socklen_t(text.count))
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// The addresses that share a prefix, in CIDR notation (RFC 4632 §3.1, RFC 4291 §2.3): `10.0.0.0/8`.
package struct IPNetwork: Sendable, Hashable {
  private let first: UInt128
  private let mask: UInt128

  /// Parses a network, or an address as a network of one; nil for any other text.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = IPAddress(String(parts[0])) else { return nil }
    let width = address.v4 == nil ? 128 : 32
    var length = width
    if parts.count == 2 {
      guard let number = Int(parts[1]), (0...width).contains(number),
        ByteSet.digits.containsAll(of: parts[1])
      else { return nil }
      length = number
    }
    // The IPv4-mapped prefix belongs to the network, too.
    mask = prefixMask(128 - width + length)
    first = address.bits & mask
  }

  package func contains(_ address: IPAddress) -> Bool {
    address.bits & mask == first
  }
}

extension IPAddress {
  /// The network of a single client: an IPv4 address, or the /64 that each IPv6 site has at least (RFC 6177).
  package var clientNetwork: IPAddress {
    v4 == nil ? IPAddress(bits: bits & prefixMask(64)) : self
  }
}

private func prefixMask(_ length: Int) -> UInt128 {
  length == 0 ? 0 : ~0 << (128 - length)
}

private let mappedPrefix: UInt128 = 0xFFFF << 32
