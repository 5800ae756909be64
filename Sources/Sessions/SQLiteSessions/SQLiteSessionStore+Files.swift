import Glibc

extension SQLiteSessionStore {
  /// The sizes of the store's files, in bytes.
  package struct FileSizes: Sendable, Equatable {
    package let database: Int
    /// The write-ahead log.
    package let log: Int
  }

  /// Asks the system, on any thread; 0 where it does not tell.
  package var fileSizes: FileSizes {
    FileSizes(database: Self.size(of: file), log: Self.size(of: file + "-wal"))
  }

  private static func size(of path: String) -> Int {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}
