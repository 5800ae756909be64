import FusionHTTPMessages
import Glibc

/// A TCP address to listen on: an IP address and a port.
struct ListenAddress: Sendable {
  private let address: IPAddress
  private let port: UInt16
  /// The address as text: `host:port`.
  let name: String

  /// Parses "127.0.0.1", "::1", "[::1]" or "localhost"; never looks up a name.
  init(host text: String, port: Int) throws(StartError) {
    name = text.contains(":") && !text.hasPrefix("[") ? "[\(text)]:\(port)" : "\(text):\(port)"
    guard let number = UInt16(exactly: port) else {
      throw StartError(name, "has no valid port. Give a number from 0 to 65535; 0 picks a free one")
    }
    self.port = number
    let isBracketed = text.hasPrefix("[") && text.hasSuffix("]") && text.contains(":")
    let literal = isBracketed ? String(text.dropFirst().dropLast()) : text
    guard let address = IPAddress(text == "localhost" ? "127.0.0.1" : literal) else {
      throw StartError(
        name,
        "is not an address to listen on. "
          + "Give an IPv4 or IPv6 address such as 127.0.0.1 or ::1, or localhost"
      )
    }
    self.address = address
  }

  var family: Int32 { address.v4 == nil ? AF_INET6 : AF_INET }

  /// Whether IPv4 connections are accepted as well: only with "::".
  var isDualStack: Bool { address.bits == 0 }

  /// Binds `socket`; returns false with the reason in errno.
  func bind(_ socket: Int32) -> Bool {
    if let v4 = address.v4 {
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      name.sin_port = port.bigEndian
      name.sin_addr = in_addr(s_addr: v4.bigEndian)
      return isBound(socket, to: name)
    }
    var name = sockaddr_in6()
    name.sin6_family = sa_family_t(AF_INET6)
    name.sin6_port = port.bigEndian
    unsafe withUnsafeMutableBytes(of: &name.sin6_addr) { bytes in
      unsafe bytes.storeBytes(of: address.bits.bigEndian, as: UInt128.self)
    }
    return isBound(socket, to: name)
  }

  private func isBound<Name>(_ socket: Int32, to name: Name) -> Bool {
    unsafe withUnsafePointer(to: name) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        unsafe Glibc.bind(socket, name, socklen_t(MemoryLayout<Name>.size)) == 0
      }
    }
  }
}
