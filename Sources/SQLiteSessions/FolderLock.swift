import Glibc

/// The right to write to a folder's store: one process has it at a time.
///
/// A lock on a file in the folder (flock(2)): it ends with the process however that ends.
struct FolderLock: ~Copyable {
  private let descriptor: Int32

  /// Makes the folder where there is none, for its owner alone.
  init(_ folder: String) throws(StoreOpenError) {
    descriptor = try Self.locked(folder)
  }

  deinit { close(descriptor) }

  private static func locked(_ folder: String) throws(StoreOpenError) -> Int32 {
    if unsafe mkdir(folder, 0o700) != 0, errno != EEXIST {
      throw .unusable(folder, systemError())
    }
    let descriptor = unsafe open("\(folder)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw errno == ENOTDIR ? .notAFolder(folder) : .unusable(folder, systemError())
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let error: StoreOpenError =
        errno == EWOULDBLOCK ? .inUse(folder) : .unusable(folder, systemError())
      close(descriptor)
      throw error
    }
    return descriptor
  }
}

/// What the C library says of its last error.
func systemError() -> String {
  unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
}
