/// Files that give free pages back to the disk (https://sqlite.org/pragma.html#pragma_auto_vacuum).
extension Schema {
  /// How many bytes may be in use in a file that is made such a one at a start: it is copied for that, in
  /// memory.
  private static let changedSize = 32 << 20

  /// 2 is INCREMENTAL.
  static func canShrink(_ database: Database) throws(DatabaseError) -> Bool {
    try database.integer("PRAGMA auto_vacuum") == 2
  }

  /// Changes a file of an older version, which is without the pages that this needs, where it is small.
  ///
  /// A larger one stays as it is: what becomes free in it is used again.
  static func makeShrinkable(_ database: Database) {
    // What fails leaves the file as it was; the next start tries again.
    try? change(database)
  }

  private static func change(_ database: Database) throws(DatabaseError) {
    guard try !canShrink(database) else { return }
    let pages = try database.integer("PRAGMA page_count") ?? 0
    let free = try database.integer("PRAGMA freelist_count") ?? 0
    let size = try database.integer("PRAGMA page_size") ?? 0
    guard (pages - free) * size <= changedSize else { return }
    // A container's file system may be read-only but for the folder.
    try database.run("PRAGMA temp_store = MEMORY")
    try database.run("PRAGMA auto_vacuum = INCREMENTAL")
    try database.run("VACUUM")
  }
}
