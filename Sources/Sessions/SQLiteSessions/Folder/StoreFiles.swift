import Glibc

/// The folder and files of a store, identified as they were when it was opened.
///
/// A process with open files does not notice that they were deleted, and what it writes then is lost when it ends.
struct StoreFiles {
  private struct File {
    let name: String
    let path: String
    let device: UInt
    let inode: UInt
  }

  private let files: [File]
  private let database: String

  /// Notes the files that exist.
  init(_ folder: String, database: String) {
    self.database = database
    let paths = [
      ("the data folder", folder), ("the database in the data folder", database),
      ("the database's write-ahead log", database + "-wal"),
    ]
    files = paths.compactMap { name, path in
      fileStatus(of: path).map {
        File(name: name, path: path, device: UInt($0.st_dev), inode: UInt($0.st_ino))
      }
    }
  }

  /// The name, for a person, of the first file that was deleted or replaced; nil if none was.
  var missing: String? {
    files.first { file in
      guard let status = fileStatus(of: file.path) else {
        return errno == ENOENT || errno == ENOTDIR
      }
      return UInt(status.st_dev) != file.device || UInt(status.st_ino) != file.inode
    }?.name
  }

  /// The sizes of the database and of its write-ahead log in bytes; 0 if the system does not tell.
  var sizes: (database: Int, log: Int) {
    (fileSize(of: database) ?? 0, fileSize(of: database + "-wal") ?? 0)
  }
}

/// Returns the size of a file in bytes; nil if it does not exist, or the system does not tell.
func fileSize(of path: String) -> Int? { fileStatus(of: path).map { Int($0.st_size) } }

private func fileStatus(of path: String) -> stat? {
  var status = stat()
  return unsafe stat(path, &status) == 0 ? status : nil
}
