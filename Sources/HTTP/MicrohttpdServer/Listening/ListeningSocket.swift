import CFusionMicrohttpd
import Glibc
import Synchronization

/// The socket on which connections arrive, opened by us so that errno says what is wrong with it.
final class ListeningSocket: Sendable {
  let descriptor: Int32
  /// `host:port`, or `unix:path`, as a person writes it.
  let name: String
  /// Whether it is a Unix socket.
  let isLocal: Bool
  /// The port bound, also where 0 was asked for; a Unix socket has none.
  let port: Int?
  /// Whether another process has it, too, which goes on listening.
  private let isShared: Bool
  /// The file of a Unix socket.
  private let file: SocketFile?
  /// What takes the descriptor's place once nobody shall connect any more.
  ///
  /// It is opened at the start, so that retiring cannot fail for want of descriptors.
  private let placeholder: Int32
  private let isRetired = Atomic(false)

  /// Listens where it is told to.
  convenience init(_ configuration: MicrohttpdServer.Configuration) throws(StartError) {
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

  /// `sendBuffer` is what the kernel keeps for each connection, in bytes, and nil its own choice.
  private convenience init(_ address: ListenAddress, sendBuffer: Int?) throws(StartError) {
    let descriptor = socket(address.family, Int32(SOCK_STREAM.rawValue) | closeOnExec, 0)
    try self.init(descriptor, address.name) { () throws(StartError) in
      // Inherited by accepted sockets, as the options below are.
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
      // For whoever shares it, too, which a service manager knows.
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      setOptions(of: descriptor)
      return nil
    }
  }

  /// Has a new socket bound, and listens on it; the file that it got is removed at the end.
  private init(
    _ descriptor: Int32,
    _ address: String,
    isShared: Bool = false,
    bind: () throws(StartError) -> SocketFile?
  ) throws(StartError) {
    guard descriptor >= 0 else { throw StartError(errno: errno, address) }
    var file: SocketFile?
    do throws(StartError) {
      file = try bind()
      // The kernel cuts this to net.core.somaxconn. Binding may succeed for two, listening does not.
      guard isShared || listen(descriptor, 65_535) == 0 else {
        throw StartError(errno: errno, address)
      }
      port = try boundPort(descriptor, address)
      placeholder = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | closeOnExec, 0)
      guard placeholder >= 0 else { throw StartError(errno: errno, address) }
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

  /// The next connection that waits; negative where there is none, with the reason in errno.
  func accept() -> Int32 {
    guard !hasRetired else {
      errno = EAGAIN
      return -1
    }
    return accept4(descriptor, nil, nil, closeOnExec)
  }

  /// Whether nothing is accepted any more.
  var hasRetired: Bool { isRetired.load(ordering: .acquiring) }

  /// From here on connecting is refused; those not yet accepted are reset.
  ///
  /// On a shared socket they wait for whoever accepts next, and its events go on: the loops have to let go of it.
  ///
  /// Once only, any thread.
  ///
  /// Loops may be about to accept: they must not find another file under the number. Putting a socket
  /// that is never readable there closes the listening one in a single step, which also takes it out of
  /// every set of events.
  func retire() {
    guard !isRetired.exchange(true, ordering: .acquiringAndReleasing), !isShared else { return }
    // First: as long as it listens, nobody takes its place.
    file?.remove()
    dup2(placeholder, descriptor)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    close(placeholder)
  }
}

/// SOCK_NONBLOCK as well: several loops race to accept, and the losers must not wait.
private let closeOnExec = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)

/// How long sent data may stay unacknowledged before the peer counts as gone, in milliseconds.
private let unacknowledgedLimit: Int32 = 30_000

/// How many bytes the kernel takes beyond those that are on the wire.
///
/// Otherwise it takes megabytes for each slow reader, and asks for more only when a third of them is
/// gone: so late that the library's timeout has cut a reader who takes three thousand bytes a second.
private let unsentLimit: Int32 = 32_768

private func bind(_ socket: Int32, to address: ListenAddress) throws(StartError) {
  // Lets a port be bound again while old connections linger in TIME_WAIT; a second listener on
  // it is still refused (that would take SO_REUSEPORT).
  set(socket, SOL_SOCKET, SO_REUSEADDR, 1)
  setOptions(of: socket)
  if address.family == AF_INET6 {
    set(socket, Int32(IPPROTO_IPV6), IPV6_V6ONLY, address.isDualStack ? 0 : 1)
  }
  guard address.bind(socket) else { throw StartError(errno: errno, address.name) }
}

/// These are inherited by accepted sockets on Linux, which saves a system call each; a Unix socket has none.
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

/// Nil where the socket has none.
private func boundPort(_ socket: Int32, _ address: String) throws(StartError) -> Int? {
  // The port has the same place in sockaddr_in and sockaddr_in6.
  var name = sockaddr_in6()
  var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
  let result = unsafe withUnsafeMutablePointer(to: &name) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
      unsafe getsockname(socket, name, &length)
    }
  }
  guard result == 0 else { throw StartError(errno: errno, address) }
  guard [AF_INET, AF_INET6].contains(Int32(name.sin6_family)) else { return nil }
  return Int(UInt16(bigEndian: name.sin6_port))
}
