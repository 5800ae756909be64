package import FusionSessions
import Glibc

/// A folder in the making, with the sessions of another store, which a service can be started with once it is whole.
///
/// Belongs to one thread at a time. Where it is not finished, no store is left.
package struct FolderCopy: ~Copyable {
  private let lock: FolderLock
  private let folder: String
  /// Where the store grows.
  private let workshop: String
  private let store: SQLiteSessionStore

  /// Makes the folder where there is none; it must not have a store.
  ///
  /// `secret` is that of the other store: the digests of what its keys were sent with are made with it.
  package init(_ folder: String, secret: [UInt8]) throws(StoreOpenError) {
    // Kept until the copy is whole, so that nobody serves it before.
    let lock = try FolderLock(folder)
    guard unsafe access(Schema.file(in: folder), F_OK) != 0 else { throw .occupied(folder) }
    let workshop = "\(folder)/copy.partial"
    Self.clear(workshop)
    let store = try Self.makeStore(in: workshop, secret)
    self.lock = lock
    self.folder = folder
    self.workshop = workshop
    self.store = store
  }

  private static func makeStore(
    in folder: String,
    _ secret: [UInt8]
  ) throws(StoreOpenError) -> SQLiteSessionStore {
    // What counts is that all of it is on the disk at the end.
    var options = SQLiteSessionStore.Options()
    options.durability = .relaxed
    let store = try SQLiteSessionStore(folder: folder, options)
    let file = Schema.file(in: folder)
    try Schema.looking(at: file) { () throws(DatabaseError) in
      let database = try Database(file, .write)
      defer { database.close() }
      try database.run("UPDATE secret SET value = ?", .blob(secret))
    }
    return store
  }

  package func add(_ session: StoredSession) throws(StoreError) {
    try store.perform(.create(session))
  }

  /// Puts the store in its place, on the disk.
  package consuming func finish() throws(StoreOpenError) {
    // One file is left, with all of it.
    store.tidy()
    store.close()
    let file = Schema.file(in: workshop)
    try synchronize(file)
    guard unsafe rename(file, Schema.file(in: folder)) == 0 else {
      throw .unusable(folder, systemError())
    }
    try synchronize(folder)
  }

  deinit {
    store.close()
    Self.clear(workshop)
  }

  private static func clear(_ workshop: String) {
    let file = Schema.file(in: workshop)
    for path in [file, file + "-wal", file + "-shm", "\(workshop)/lock"] { _ = unsafe unlink(path) }
    _ = unsafe rmdir(workshop)
  }
}
