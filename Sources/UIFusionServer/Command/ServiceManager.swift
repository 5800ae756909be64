import FusionMicrohttpdServer
import Glibc

/// What a service manager such as systemd hands to a process that it starts, and is told by it.
///
/// Nothing of this is systemd's own library: the protocols are a few variables of the environment, of which the
/// process's children shall not hear.
struct ServiceManager {
  var read: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
  var unset: (String) -> Void = { unsetenv($0) }
  var process = getpid()
  /// The first descriptor that is handed over.
  var first: Int32 = 3

  /// The socket to listen on that was handed over to this process (sd_listen_fds(3)); nil where none was.
  ///
  /// To be asked once, before anything is opened or another thread runs.
  func takeSocket() throws(ServiceError) -> Int32? {
    let (owner, count, names) = (read("LISTEN_PID"), read("LISTEN_FDS"), read("LISTEN_FDNAMES"))
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unset(name) }
    guard let owner, owner == "\(process)", let count, count != "0" else { return nil }
    guard count == "1" else {
      let which = names.map { " (\($0))" } ?? ""
      throw ServiceError(
        description: "LISTEN_FDS is \(count)\(which): hand over one socket, with one ListenStream="
      )
    }
    _ = fcntl(first, F_SETFD, FD_CLOEXEC)
    return first
  }

  /// Tells how it goes, where the manager asks for it (sd_notify(3)): `READY=1`, `STOPPING=1`.
  func notify(_ state: String) {
    if let path = read("NOTIFY_SOCKET") { UnixSocket.send(Array(state.utf8), to: path) }
  }
}

extension Configuration {
  /// Listens on a socket that was handed over, whatever address or path was asked for.
  mutating func take(socket descriptor: Int32) throws(ServiceError) {
    do {
      switch try BoundAddress(of: descriptor) {
      case .port(let port, let host):
        (self.host, self.port, socket) = (host, port, nil)
      case .unix(let path):
        socket = path
      }
    } catch {
      throw ServiceError(description: "\(error.description) It was handed over by LISTEN_FDS.")
    }
    inheritedSocket = descriptor
  }
}
