import Glibc

/// The file by which clients find a server's Unix socket; a killed process leaves it behind.
struct SocketFile: Sendable {
  private let path: String
  private let mark: FileIdentity

  /// Binds a socket to `path`, with access for its owner and group only; replaces a socket file without a
  /// listener.
  ///
  /// Throws if another process listens there, or if the path is another kind of file, which is left
  /// unchanged.
  init(naming socket: Int32, _ path: String) throws(StartError) {
    let address = "unix:" + path
    func refuse(_ text: String) -> StartError {
      StartError(address, "cannot be listened on: " + text)
    }
    guard 1...UnixSocket.longestPath ~= path.utf8.count, !path.utf8.contains(0) else {
      throw refuse(
        "the path has \(path.utf8.count) bytes. Give one of \(UnixSocket.longestPath) at the most"
      )
    }
    try Self.removeStale(path, refuse)
    // Before binding: on Linux the file gets at most the socket's permissions, so no other user can connect
    // in between. Then again, since the umask removed some: by name, because the socket's descriptor is not
    // the file's, and without following a link that someone may have put there.
    _ = fchmod(socket, rights)
    guard UnixSocket.bind(socket, to: path) else {
      switch errno {
      case EADDRINUSE: throw refuse(isTaken)
      case ENOENT, ENOTDIR:
        throw refuse("its folder does not exist. Make it, or choose another path")
      case EACCES, EPERM: throw refuse("this user may not write to its folder")
      default: throw StartError(address, errno: errno)
      }
    }
    guard let mark = FileIdentity(path),
      unsafe fchmodat(AT_FDCWD, path, rights, AT_SYMLINK_NOFOLLOW) == 0
    else {
      throw StartError(address, errno: errno)
    }
    self.path = path
    self.mark = mark
  }

  /// Removes the file, unless another server has replaced it.
  func remove() {
    if FileIdentity(path) == mark { unsafe unlink(path) }
  }

  private static func removeStale(
    _ path: String,
    _ refuse: (String) -> StartError
  ) throws(StartError) {
    guard let found = FileIdentity(path) else { return }
    guard found.isSocket else {
      throw refuse("a file that is not a socket is in the way. Choose another path, or remove it")
    }
    let probe = UnixSocket.connect(to: path)
    if probe >= 0 { close(probe) }
    guard probe < 0, errno == ECONNREFUSED else { throw refuse(isTaken) }
    // Another process may have replaced it in the meantime.
    guard FileIdentity(path) == found else { throw refuse(isTaken) }
    unsafe unlink(path)
  }
}

private let isTaken = "another process listens there. Stop it, or choose another path"

/// Read and write permission for owner and group; connecting needs both.
private let rights: mode_t = 0o660

/// A file's identity, to distinguish it from a later file with the same name.
private struct FileIdentity: Equatable {
  let device: dev_t
  let number: ino_t
  let isSocket: Bool

  init?(_ path: String) {
    var file = stat()
    guard unsafe lstat(path, &file) == 0 else { return nil }
    device = file.st_dev
    number = file.st_ino
    isSocket = file.st_mode & S_IFMT == S_IFSOCK
  }
}
