import FusionHTTPMessages
import Glibc

/// The address of a listening socket that another process opened.
package enum BoundAddress: Sendable, Equatable {
  /// A TCP port and an address as text, without brackets.
  case port(Int, host: String)
  case unix(path: String)

  /// Reads a descriptor's address; throws unless it is a listening stream socket.
  package init(of descriptor: Int32) throws(StartError) {
    func refuse(_ text: String) -> StartError {
      StartError("descriptor \(descriptor)", "cannot be listened on: " + text)
    }
    guard fcntl(descriptor, F_GETFD) >= 0 else { throw refuse("it is not open") }
    guard let type = option(SO_TYPE, of: descriptor) else { throw refuse("it is no socket") }
    guard type == Int32(SOCK_STREAM.rawValue), option(SO_ACCEPTCONN, of: descriptor) == 1 else {
      throw refuse("it is no stream socket on which listen(2) was called")
    }
    switch SocketAddress(localOf: descriptor) {
    case .ip(let address, let port): self = .port(port, host: address.description)
    case .unix(let path): self = .unix(path: path)
    case nil: throw refuse("it is a socket of neither TCP nor Unix")
    }
  }

  /// The address as text: `host:port` or `unix:path`.
  var name: String {
    switch self {
    case .port(let port, let host): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix(let path): "unix:" + path
    }
  }

  /// The TCP port; nil for a Unix socket.
  var port: Int? {
    if case .port(let port, _) = self { port } else { nil }
  }
}

/// The address of one end of a socket.
enum SocketAddress {
  case ip(IPAddress, port: Int)
  case unix(path: String)

  init?(localOf descriptor: Int32) {
    unsafe self.init { name, length in unsafe getsockname(descriptor, name, &length) }
  }

  init?(peerOf descriptor: Int32) {
    unsafe self.init { name, length in unsafe getpeername(descriptor, name, &length) }
  }

  /// Reads an address; nil if the call fails, or the address has another family.
  private init?(_ read: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Int32) {
    var name = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = unsafe withUnsafeMutablePointer(to: &name) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        unsafe read(name, &length)
      }
    }
    guard result == 0 else { return nil }
    let family = Int32(name.ss_family)
    let count = Int(length)
    let address: Self? = unsafe withUnsafeBytes(of: name) { bytes in
      // The port has the same offset in sockaddr_in and sockaddr_in6.
      let port = unsafe Int(
        UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
      )
      switch family {
      case AF_INET:
        let bits = unsafe bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
        return .ip(IPAddress(v4: UInt32(bigEndian: bits)), port: port)
      case AF_INET6:
        let bits = unsafe bytes.loadUnaligned(fromByteOffset: 8, as: UInt128.self)
        return .ip(IPAddress(bits: UInt128(bigEndian: bits)), port: port)
      case AF_UNIX:
        // A name in the abstract namespace begins with a NUL, conventionally written as @ (unix(7)).
        let path = unsafe bytes[min(2, count)..<count]
        let isAbstract = unsafe path.count > 1 && path.first == 0
        let text = unsafe path.dropFirst(isAbstract ? 1 : 0).prefix { $0 != 0 }
        return unsafe .unix(path: (isAbstract ? "@" : "") + String(decoding: text, as: UTF8.self))
      default: return nil
      }
    }
    guard let address else { return nil }
    self = address
  }
}

private func option(_ name: Int32, of descriptor: Int32) -> Int32? {
  var value: Int32 = 0
  var length = socklen_t(MemoryLayout<Int32>.size)
  return unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
}
