import CFusionMicrohttpd
import Glibc
import Synchronization

/// The listening socket, opened by this module instead of the library, so that errno tells the reason of a
/// failure.
final class ListeningSocket: Sendable {
  let descriptor: Int32
  /// The address as text: `host:port` or `unix:path`.
  let name: String
  /// Whether this is a Unix socket.
  let isLocal: Bool
  /// The bound port, even if the configuration has 0; nil for a Unix socket.
  let port: Int?
  /// Whether another process also has the socket, and keeps listening.
  private let isShared: Bool
  /// The file of a Unix socket.
  private let file: SocketFile?
  /// A socket that replaces the listening one in `retire`.
  ///
  /// Opened at the start, so that retiring cannot fail for lack of descriptors.
  private let placeholder: Int32
  private let isRetired = Atomic(false)

  /// Opens the configured socket, and listens.
  convenience init(_ configuration: ServerConfiguration) throws(StartError) {
    if let descriptor = configuration.inheritedSocket {
      try self.init(inherited: descriptor)
    } else if let path = configuration.socketPath {
      try self.init(path: path)
    } else {
      try self.init(
        ListenAddress(host: configuration.host, port: configuration.port),
        sendBuffer: configuration.sendBuffer
      )
    }
  }

  private convenience init(_ address: ListenAddress, sendBuffer: Int?) throws(StartError) {
    let descriptor = socket(address.family, Int32(SOCK_STREAM.rawValue) | closeOnExec, 0)
    try self.init(descriptor, address.name) { () throws(StartError) in
      // Accepted sockets inherit this, and the options below.
      if let sendBuffer { set(descriptor, SOL_SOCKET, SO_SNDBUF, Int32(clamping: sendBuffer)) }
      try bind(descriptor, to: address)
      return nil
    }
  }

  private convenience init(path: String) throws(StartError) {
    let descriptor = UnixSocket.make()
    try self.init(descriptor, "unix:" + path) { () throws(StartError) in
      try SocketFile(naming: descriptor, path)
    }
  }

  private convenience init(inherited descriptor: Int32) throws(StartError) {
    try self.init(descriptor, BoundAddress(of: descriptor).name, isShared: true) {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      // Also changes the other process's socket, as service managers expect.
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      setOptions(of: descriptor)
      return nil
    }
  }

  /// Binds a new socket and listens; removes the socket file that `bind` returns, on failure and at the end.
  private init(
    _ descriptor: Int32,
    _ address: String,
    isShared: Bool = false,
    bind: () throws(StartError) -> SocketFile?
  ) throws(StartError) {
    guard descriptor >= 0 else { throw StartError(address, errno: errno) }
    var file: SocketFile?
    do throws(StartError) {
      file = try bind()
      // The kernel caps this at net.core.somaxconn. Two processes may bind to a port, but only one listens.
      guard isShared || listen(descriptor, 65_535) == 0 else {
        throw StartError(address, errno: errno)
      }
      port = try BoundAddress(of: descriptor).port
      placeholder = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | closeOnExec, 0)
      guard placeholder >= 0 else { throw StartError(address, errno: errno) }
    } catch {
      file?.remove()
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    self.file = file
    self.isShared = isShared
    name = address
    isLocal = port == nil
  }

  deinit {
    if isShared || !isRetired.load(ordering: .relaxed) {
      file?.remove()
      close(placeholder)
    }
    close(descriptor)
  }

  /// Accepts the next connection; returns a negative number with the reason in errno if there is none.
  func accept() -> Int32 {
    guard !hasRetired else {
      errno = EAGAIN
      return -1
    }
    return accept4(descriptor, nil, nil, closeOnExec)
  }

  /// Whether the socket has stopped accepting.
  var hasRetired: Bool { isRetired.load(ordering: .acquiring) }

  /// Refuses connections from now on, and resets those that were not accepted.
  ///
  /// Any thread; only the first call counts.
  ///
  /// On a shared socket, connections wait for the other process, and events continue, so the loops must
  /// remove it.
  ///
  /// A loop may be about to accept, and must not find another file under the descriptor. Replacing the
  /// listening socket with one that is never readable closes it in a single step, which also removes it from
  /// every epoll set.
  func retire() {
    guard !isRetired.exchange(true, ordering: .acquiringAndReleasing), !isShared else { return }
    // First: while this socket listens, no other server can replace the file.
    file?.remove()
    dup2(placeholder, descriptor)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    close(placeholder)
  }
}

/// The flags of a new socket; SOCK_NONBLOCK, since several loops race to accept, and the losers must not
/// block.
private let closeOnExec = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)

/// Milliseconds that sent data may stay unacknowledged before the peer counts as gone (TCP_USER_TIMEOUT).
private let unacknowledgedLimit: Int32 = 30_000

/// The number of bytes that the kernel buffers in addition to those in flight (TCP_NOTSENT_LOWAT).
///
/// By default it buffers megabytes for a slow reader, and reports room only when a third of them is sent.
/// That is too late for a reader of 3,000 bytes per second: the library's timeout would cut it first.
private let unsentLimit: Int32 = 32_768

private func bind(_ socket: Int32, to address: ListenAddress) throws(StartError) {
  // Allows binding while old connections are in TIME_WAIT; a second listener would need SO_REUSEPORT.
  set(socket, SOL_SOCKET, SO_REUSEADDR, 1)
  setOptions(of: socket)
  if address.family == AF_INET6 {
    set(socket, Int32(IPPROTO_IPV6), IPV6_V6ONLY, address.isDualStack ? 0 : 1)
  }
  guard address.bind(socket) else { throw StartError(address.name, errno: errno) }
}

/// Sets options that accepted sockets inherit on Linux, which saves system calls; no effect on a Unix socket.
private func setOptions(of socket: Int32) {
  set(socket, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
  set(socket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, unacknowledgedLimit)
  set(socket, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, unsentLimit)
}

private func set(_ socket: Int32, _ level: Int32, _ name: Int32, _ value: Int32) {
  unsafe withUnsafePointer(to: value) { value in
    _ = unsafe setsockopt(socket, level, name, value, socklen_t(MemoryLayout<Int32>.size))
  }
}
