import Glibc

/// The folder and files of a store, as they were when it was opened.
///
/// Whoever has them open does not notice that they were deleted: what it writes is lost with the process.
struct StoreFiles {
  private struct File {
    let name: String
    let path: String
    let device: UInt
    let inode: UInt
  }

  private let files: [File]

  /// Notes those that there are.
  init(_ folder: String) {
    let database = Schema.file(in: folder)
    let paths = [
      ("the data folder", folder), ("the database in the data folder", database),
      ("the database's write-ahead log", database + "-wal"),
    ]
    files = paths.compactMap { name, path in
      var status = stat()
      guard unsafe stat(path, &status) == 0 else { return nil }
      return File(name: name, path: path, device: UInt(status.st_dev), inode: UInt(status.st_ino))
    }
  }

  /// The first that is not there any more, or is another: what a person would call it.
  var missing: String? {
    files.first { file in
      var status = stat()
      guard unsafe stat(file.path, &status) == 0 else { return errno == ENOENT || errno == ENOTDIR }
      return UInt(status.st_dev) != file.device || UInt(status.st_ino) != file.inode
    }?.name
  }
}
