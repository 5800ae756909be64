import CFusionMicrohttpd
import Glibc

/// Stream sockets with a name in the file system (unix(7)).
package enum UnixSocket {
  /// The maximum length of a path in bytes, without the NUL at its end.
  package static let longestPath = 107

  /// Returns a new socket that is connected to the listener at `path`; a negative number on failure.
  ///
  /// The reason is in errno: ECONNREFUSED for an abandoned file, EAGAIN for a listener with a full backlog.
  package static func connect(to path: String) -> Int32 {
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { return descriptor }
    // Nonblocking: Unix sockets connect at once or not at all.
    let result = unsafe withName(path) { unsafe Glibc.connect(descriptor, $0, $1) }
    guard result != 0 else { return descriptor }
    let reason = errno
    close(descriptor)
    errno = reason
    return -1
  }

  /// Returns a new socket for a server.
  static func make() -> Int32 { socket(AF_UNIX, kind, 0) }

  /// Binds a socket to a path; returns false with the reason in errno.
  static func bind(_ descriptor: Int32, to path: String) -> Bool {
    unsafe withName(path) { unsafe Glibc.bind(descriptor, $0, $1) } == 0
  }

  /// Sends a datagram, which is dropped if there is no receiver; a path that begins with @ is in the abstract
  /// namespace.
  package static func send(_ message: [UInt8], to path: String) {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let isAbstract = path.hasPrefix("@")
    _ = unsafe withName(isAbstract ? "\0" + path.dropFirst() : path) { name, length in
      // A name in the abstract namespace does not end with NUL: its length counts.
      let used = isAbstract ? socklen_t(2 + path.utf8.count) : length
      return unsafe Int32(
        sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT), name, used)
      )
    }
  }

  private static let kind =
    Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)

  /// Calls `body` with the path's address; truncates a path that is too long, which callers check.
  private static func withName(
    _ path: String,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &name.sun_path) { bytes in
      unsafe bytes.copyBytes(from: path.utf8.prefix(longestPath))
    }
    return unsafe withUnsafePointer(to: name) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        unsafe body(name, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
