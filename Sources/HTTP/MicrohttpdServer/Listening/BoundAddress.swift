import CFusionMicrohttpd
import Glibc

/// Where a socket listens that another process has opened.
package enum BoundAddress: Sendable, Equatable {
  /// An address as text, without brackets.
  case port(Int, host: String)
  case unix(path: String)

  /// Asks the system; throws where a descriptor is anything but a stream socket that listens.
  package init(of descriptor: Int32) throws(StartError) {
    func refuse(_ text: String) -> StartError {
      StartError(.other(text), "descriptor \(descriptor)")
    }
    guard fcntl(descriptor, F_GETFD) >= 0 else { throw refuse("it is not open") }
    guard let type = option(SO_TYPE, of: descriptor) else { throw refuse("it is no socket") }
    guard type == Int32(SOCK_STREAM.rawValue), option(SO_ACCEPTCONN, of: descriptor) == 1 else {
      throw refuse("it is no stream socket on which listen(2) was called")
    }
    guard let address = Self(namedBy: descriptor) else {
      throw refuse("it is a socket of neither TCP nor Unix")
    }
    self = address
  }

  /// As a person writes it.
  var name: String {
    switch self {
    case .port(let port, let host): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix(let path): "unix:" + path
    }
  }

  private init?(namedBy descriptor: Int32) {
    var name = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = unsafe withUnsafeMutablePointer(to: &name) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        unsafe getsockname(descriptor, name, &length)
      }
    }
    guard result == 0 else { return nil }
    let bytes = unsafe withUnsafeBytes(of: name) { unsafe [UInt8]($0.prefix(Int(length))) }
    // A port has the same place in sockaddr_in and sockaddr_in6, its high byte first.
    let port = bytes.count > 3 ? Int(bytes[2]) << 8 | Int(bytes[3]) : 0
    switch Int32(name.ss_family) {
    case AF_INET: self = .port(port, host: literal(AF_INET, bytes[4..<8]))
    case AF_INET6: self = .port(port, host: literal(AF_INET6, bytes[8..<24]))
    case AF_UNIX:
      // One in the abstract namespace begins with a NUL, for which people write an @ (unix(7)).
      var path = Array(bytes.dropFirst(2))
      if path.count > 1, path[0] == 0 { path[0] = UInt8(ascii: "@") }
      self = .unix(path: String(decoding: path.prefix { $0 != 0 }, as: UTF8.self))
    default: return nil
    }
  }
}

private func option(_ name: Int32, of descriptor: Int32) -> Int32? {
  var value: Int32 = 0
  var length = socklen_t(MemoryLayout<Int32>.size)
  return unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
}

private func literal(_ family: Int32, _ address: ArraySlice<UInt8>) -> String {
  var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
  let address = Array(address)
  _ = unsafe inet_ntop(family, address, &text, socklen_t(text.count))
  return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
