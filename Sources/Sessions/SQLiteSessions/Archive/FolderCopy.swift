package import FusionSessions
import Glibc

/// A new folder that is filled with the sessions of another store; used by one thread at a time.
///
/// A service can be started with it once it is finished. An unfinished copy leaves no store.
package struct FolderCopy: ~Copyable {
  private let lock: FolderLock
  private let folder: String
  /// The folder of the unfinished store.
  private let partial: String
  private let store: SQLiteSessionStore

  /// Creates the folder if missing; it must not have a store.
  ///
  /// `secret` is the other store's, with which the digests of its keys' request bodies were made.
  package init(_ folder: String, secret: [UInt8]) throws(StoreOpenError) {
    // Held until the copy is complete, so that no service starts with it before.
    let lock = try FolderLock(folder)
    guard unsafe access(Schema.file(in: folder), F_OK) != 0 else { throw .occupied(folder) }
    let partial = "\(folder)/copy.partial"
    Self.clear(partial)
    let store = try Self.makeStore(in: partial, secret)
    self.lock = lock
    self.folder = folder
    self.partial = partial
    self.store = store
  }

  private static func makeStore(
    in folder: String,
    _ secret: [UInt8]
  ) throws(StoreOpenError) -> SQLiteSessionStore {
    // Only the end has to be on the disk.
    var options = SQLiteSessionStore.Options()
    options.durability = .relaxed
    let store = try SQLiteSessionStore(folder: folder, options)
    let file = Schema.file(in: folder)
    try Schema.naming(file) { () throws(DatabaseError) in
      let database = try Database(file, .write)
      defer { database.close() }
      try database.run("UPDATE secret SET value = \(secret)")
    }
    return store
  }

  package func add(_ session: StoredSession) throws(StoreError) {
    try store.perform(.create(session))
  }

  /// Moves the store to its place and syncs it to the disk.
  package consuming func finish() throws(StoreOpenError) {
    // Closing leaves one file with everything.
    store.tidy()
    store.close()
    let file = Schema.file(in: partial)
    try synchronize(file)
    guard unsafe rename(file, Schema.file(in: folder)) == 0 else {
      throw .unusable(folder, systemError())
    }
    try synchronize(folder)
  }

  deinit {
    store.close()
    Self.clear(partial)
  }

  private static func clear(_ partial: String) {
    let file = Schema.file(in: partial)
    for path in [file, file + "-wal", file + "-shm", "\(partial)/lock"] { _ = unsafe unlink(path) }
    _ = unsafe rmdir(partial)
  }
}
