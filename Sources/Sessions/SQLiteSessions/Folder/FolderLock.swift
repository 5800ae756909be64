import Glibc

/// The right to write to a folder's store: one process has it at a time.
///
/// A lock on a file in the folder (flock(2)): it ends with the process however that ends.
struct FolderLock: ~Copyable {
  private let descriptor: Int32

  /// Makes the folder where there is none, for its owner alone.
  ///
  /// Waits for a process that is stopping, and calls `waits` as it begins to.
  init(
    _ folder: String,
    wait: Duration = .zero,
    waits: () -> Void = {},
    synchronize: (String) throws(StoreOpenError) -> Void = { path throws(StoreOpenError) in
      try FusionSQLiteSessions.synchronize(path)
    }
  ) throws(StoreOpenError) {
    if unsafe mkdir(folder, 0o700) == 0 {
      // Else the folder, and all in it, may be gone after a loss of power.
      try synchronize("\(folder)/..")
    } else if errno != EEXIST {
      throw .unusable(folder, systemError())
    }
    let descriptor = unsafe open("\(folder)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw errno == ENOTDIR ? .notAFolder(folder) : .unusable(folder, systemError())
    }
    do throws(StoreOpenError) {
      try Self.lock(descriptor, of: folder, wait, waits)
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  deinit {
    // A process that is being started has a copy of the descriptor until its program runs.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  private static func lock(
    _ descriptor: Int32,
    of folder: String,
    _ wait: Duration,
    _ waits: () -> Void
  ) throws(StoreOpenError) {
    let deadline = ContinuousClock.now + wait
    var isWaiting = false
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { throw .unusable(folder, systemError()) }
      guard ContinuousClock.now < deadline else { throw .inUse(folder) }
      if !isWaiting { waits() }
      isWaiting = true
      // The system has no lock that waits for a time.
      usleep(20_000)
    }
  }
}

/// Waits until a file, or a folder's list of files, is on the disk.
func synchronize(_ path: String) throws(StoreOpenError) {
  let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
  // A folder that may be written to, and not read: nobody but its owner can do more.
  guard descriptor >= 0 || errno == EACCES else { throw .unusable(path, systemError()) }
  guard descriptor >= 0 else { return }
  defer { close(descriptor) }
  // EINVAL: the file system has no syncs of folders.
  guard fsync(descriptor) == 0 || errno == EINVAL else { throw .unusable(path, systemError()) }
}

/// What the C library says of its last error.
func systemError() -> String {
  unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
}
