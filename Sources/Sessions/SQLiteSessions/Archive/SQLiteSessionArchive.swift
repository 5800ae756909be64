import FusionSessions
import Glibc

/// Reads a folder's store, also beside the process that serves it; for tools.
///
/// Belongs to one thread at a time. The log is read some at a time: while a transaction reads, the service's
/// write-ahead log can only grow.
package final class SQLiteSessionArchive: SessionArchive {
  let database: Database
  /// How many positions of the log are read at once.
  var step: Int64 = 500
  /// Called between two steps.
  var pause: () -> Void = {}
  private let lock: FolderLock?

  /// One that is alone keeps services from the folder, and throws where one has it.
  package init(folder: String, isAlone: Bool = false) throws(StoreOpenError) {
    let path = Schema.file(in: folder)
    guard unsafe access(path, F_OK) == 0 else {
      throw errno == ENOENT ? .missing(folder) : .unusable(path, systemError())
    }
    lock = isAlone ? try FolderLock(folder) : nil
    database = try Schema.open(path, .read)
  }
}

extension SQLiteSessionArchive {
  /// Writes what there is now into a folder of its own, which a service can then be started with.
  ///
  /// Commits go on meanwhile; their write-ahead log grows for as long as this takes. The folder is made where there is none; it must not have a store.
  package func backUp(to folder: String) throws(StoreOpenError) {
    // Kept until the copy is whole, so that nobody serves it before.
    let lock = try FolderLock(folder)
    defer { extendLifetime(lock) }
    let path = Schema.file(in: folder)
    guard unsafe access(path, F_OK) != 0 else { throw .occupied(folder) }
    let partial = path + ".partial"
    _ = unsafe unlink(partial)
    try Schema.makeFile(partial)
    do throws(StoreOpenError) {
      try Schema.looking(at: partial) { () throws(DatabaseError) in
        // The copy can shrink, also where this file is of an older version.
        if try !Schema.canShrink(database) { try database.run("PRAGMA auto_vacuum = INCREMENTAL") }
        try database.run("VACUUM INTO ?", .text(partial))
      }
      try synchronize(partial)
      guard unsafe rename(partial, path) == 0 else {
        throw StoreOpenError.unusable(path, systemError())
      }
    } catch {
      _ = unsafe unlink(partial)
      throw error
    }
    try synchronize(folder)
  }
}
