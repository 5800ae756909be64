import FusionMicrohttpdServer
import Glibc

/// The interface to systemd, or another service manager with its protocols: the socket that the manager hands
/// over, and the notifications that it asks for.
///
/// The protocols are a few environment variables, which child processes must not inherit.
struct SystemdNotifier {
  /// LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES: the process that the descriptors are for, their number and
  /// their names.
  private let owner, count, names: String?
  private let notifySocket: String?
  private let process: pid_t
  private let first: Int32

  /// Takes the variables out of the environment.
  ///
  /// Create one before anything is opened or another thread runs. `first` is the first descriptor that is
  /// handed over.
  init(
    read: (String) -> String? = { name in getenv(name).map { String(cString: $0) } },
    unset: (String) -> Void = { unsetenv($0) },
    process: pid_t = getpid(),
    first: Int32 = 3
  ) {
    func take(_ name: String) -> String? {
      defer { unset(name) }
      return read(name)
    }
    owner = take("LISTEN_PID")
    count = take("LISTEN_FDS")
    names = take("LISTEN_FDNAMES")
    notifySocket = take("NOTIFY_SOCKET")
    self.process = process
    self.first = first
  }

  /// Returns the socket to listen on that was handed over to this process (sd_listen_fds(3)), if any.
  func takeSocket() throws(ServiceError) -> Int32? {
    guard let owner, owner == "\(process)", let count, count != "0" else { return nil }
    guard count == "1" else {
      let which = names.map { " (\($0))" } ?? ""
      throw ServiceError(
        "LISTEN_FDS is \(count)\(which): hand over one socket, with one ListenStream="
      )
    }
    _ = fcntl(first, F_SETFD, FD_CLOEXEC)
    return first
  }

  /// Sends the state of the service, if the manager asks for it (sd_notify(3)): `READY=1`, `STOPPING=1`.
  func notify(_ state: String) {
    if let notifySocket { UnixSocket.send(Array(state.utf8), to: notifySocket) }
  }
}

extension Configuration {
  /// Replaces the address to listen on by a socket that was handed over.
  mutating func take(socket descriptor: Int32) throws(ServiceError) {
    do {
      switch try BoundAddress(of: descriptor) {
      case .port(let port, let host):
        (self.host, self.port, socket) = (host, port, nil)
      case .unix(let path):
        socket = path
      }
    } catch {
      throw ServiceError("\(error.description) It was handed over by LISTEN_FDS.")
    }
    inheritedSocket = descriptor
  }
}
