import FusionHTTPMessages
import Glibc

extension ConnectionInfo {
  /// Of whoever is at the other end of a connected socket.
  init(on descriptor: Int32, isEncrypted: Bool) {
    self.init()
    client = peerAddress(descriptor)
    self.isEncrypted = isEncrypted
  }
}

/// Nil where it is none of IP.
private func peerAddress(_ descriptor: Int32) -> IPAddress? {
  var name = sockaddr_in6()
  var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
  return unsafe withUnsafeMutablePointer(to: &name) { pointer in
    let result = unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
      unsafe getpeername(descriptor, name, &length)
    }
    guard result == 0 else { return nil }
    switch unsafe Int32(pointer.pointee.sin6_family) {
    case AF_INET6:
      let bits = unsafe withUnsafeBytes(of: pointer.pointee.sin6_addr) { bytes in
        unsafe bytes.loadUnaligned(as: UInt128.self)
      }
      return IPAddress(bits: UInt128(bigEndian: bits))
    case AF_INET:
      return unsafe pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { name in
        unsafe IPAddress(v4: UInt32(bigEndian: name.pointee.sin_addr.s_addr))
      }
    default: return nil
    }
  }
}
