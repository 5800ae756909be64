/// All addresses that begin alike, in CIDR notation (RFC 4632 §3.1, RFC 4291 §2.3): `10.0.0.0/8`.
package struct IPNetwork: Sendable, Hashable {
  private let first: UInt128
  private let mask: UInt128

  /// Nil where it is no network; an address alone is one of its own.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = IPAddress(String(parts[0])) else { return nil }
    let width = address.v4 == nil ? 128 : 32
    var length = width
    if parts.count == 2 {
      guard let number = Int(parts[1]), (0...width).contains(number),
        parts[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
      else { return nil }
      length = number
    }
    // What an address of IPv4 begins with belongs to the network, too.
    mask = prefixMask(128 - width + length)
    first = address.bits & mask
  }

  package func contains(_ address: IPAddress) -> Bool {
    address.bits & mask == first
  }
}

extension IPAddress {
  /// The network that one client has for itself: an address of IPv4, or the 64 bits that a site is given of
  /// IPv6 at the least (RFC 6177).
  package var clientNetwork: IPAddress {
    v4 == nil ? IPAddress(bits: bits & prefixMask(64)) : self
  }
}

private func prefixMask(_ length: Int) -> UInt128 {
  length == 0 ? 0 : ~0 << (128 - length)
}
