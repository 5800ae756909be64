import Glibc

/// A TCP address to listen on: an IP address and a port.
struct ListenAddress: Sendable {
  enum Host: Sendable {
    case v4(in_addr)
    case v6(in6_addr)
  }

  let host: Host
  let port: UInt16
  /// The address as text: `host:port`.
  let name: String

  /// Reads "127.0.0.1", "::1", "[::1]" or "localhost"; never looks up a name.
  init(host text: String, port: Int) throws(StartError) {
    name = text.contains(":") && !text.hasPrefix("[") ? "[\(text)]:\(port)" : "\(text):\(port)"
    guard let number = UInt16(exactly: port) else { throw StartError(.portNotValid, name) }
    self.port = number
    let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
    let literal =
      text == "localhost" ? "127.0.0.1" : isBracketed ? String(text.dropFirst().dropLast()) : text
    var v4 = in_addr()
    var v6 = in6_addr()
    if !isBracketed, unsafe inet_pton(AF_INET, literal, &v4) == 1 {
      host = .v4(v4)
    } else if unsafe inet_pton(AF_INET6, literal, &v6) == 1 {
      host = .v6(v6)
    } else {
      throw StartError(.addressNotValid, name)
    }
  }

  var family: Int32 {
    switch host {
    case .v4: AF_INET
    case .v6: AF_INET6
    }
  }

  /// Whether IPv4 connections are taken as well: with "::" only.
  var isDualStack: Bool {
    guard case .v6(let address) = host else { return false }
    return unsafe withUnsafeBytes(of: address) { bytes in unsafe bytes.allSatisfy { $0 == 0 } }
  }

  /// Binds `socket`; returns false with the reason in errno.
  func bind(_ socket: Int32) -> Bool {
    switch host {
    case .v4(let address):
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      name.sin_port = port.bigEndian
      name.sin_addr = address
      return isBound(socket, to: name)
    case .v6(let address):
      var name = sockaddr_in6()
      name.sin6_family = sa_family_t(AF_INET6)
      name.sin6_port = port.bigEndian
      name.sin6_addr = address
      return isBound(socket, to: name)
    }
  }

  private func isBound<Name>(_ socket: Int32, to name: Name) -> Bool {
    unsafe withUnsafePointer(to: name) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        unsafe Glibc.bind(socket, name, socklen_t(MemoryLayout<Name>.size)) == 0
      }
    }
  }
}
