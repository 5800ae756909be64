import Glibc

/// The right to write to a folder's store, held by one process at a time.
///
/// The lock is on a file in the folder (flock(2)), so it ends with the process however that ends.
struct FolderLock: ~Copyable {
  private let descriptor: Int32

  /// Locks a folder, and makes it if missing, accessible to its owner only.
  ///
  /// Waits up to `wait` for the process that holds the lock, and calls `waits` once if it has to.
  init(
    _ folder: String,
    wait: Duration = .zero,
    waits: () -> Void = {},
    synchronize: (String) throws(StoreOpenError) -> Void = { path throws(StoreOpenError) in
      try FusionSQLiteSessions.synchronize(path)
    }
  ) throws(StoreOpenError) {
    if unsafe mkdir(folder, 0o700) == 0 {
      // Without this sync a loss of power may remove the folder and everything in it.
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
    // Closing alone does not unlock while a child process between fork and exec has a copy of the descriptor.
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
      // flock(2) has no timeout.
      usleep(20_000)
    }
  }
}

/// Syncs a file, or a folder's list of files, to the disk.
func synchronize(_ path: String) throws(StoreOpenError) {
  let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
  // The folder may be written to but not read; only its owner could change that.
  guard descriptor >= 0 || errno == EACCES else { throw .unusable(path, systemError()) }
  guard descriptor >= 0 else { return }
  defer { close(descriptor) }
  // EINVAL: the file system cannot sync folders.
  guard fsync(descriptor) == 0 || errno == EINVAL else { throw .unusable(path, systemError()) }
}

/// Returns the C library's text for the last error.
func systemError() -> String {
  unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
}
