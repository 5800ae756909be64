import Glibc

extension Schema {
  /// Makes the database of a folder that has none: as a whole, so that there is never an empty file.
  ///
  /// A file without a byte, or the log of one that is missing, is refused: it was something else once.
  static func makeDatabase(in folder: String) throws(StoreOpenError) {
    let path = file(in: folder)
    switch (size(of: path), size(of: path + "-wal")) {
    case (0, _): throw .empty(path)
    case (nil, .some(1...)): throw .withoutDatabase(path)
    case (nil, _): break
    default: return
    }
    // Not by the options' VFS: it is not the store yet.
    let new = path + ".new"
    for suffix in ["", "-journal"] { _ = unsafe unlink(new + suffix) }
    try makeFile(new)
    do throws(StoreOpenError) {
      try looking(at: new) { () throws(DatabaseError) in
        let database = try Database(new, .write)
        defer { database.close() }
        try database.run("PRAGMA auto_vacuum = INCREMENTAL")
        try makeTables(in: database)
      }
      guard unsafe rename(new, path) == 0 else { throw .unusable(path, systemError()) }
      try synchronize(folder)
    } catch {
      _ = unsafe unlink(new)
      throw error
    }
  }

  /// Nil where there is no such file, or the system does not tell.
  private static func size(of path: String) -> Int? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : nil
  }
}
