/// The mode in which a file can give free pages back to the disk
/// (https://sqlite.org/pragma.html#pragma_auto_vacuum).
extension Schema {
  /// The most bytes in use in a file that is changed to this mode at a start, which copies it in memory.
  private static let changedSize = 32 << 20

  /// Returns whether a file's `auto_vacuum` is 2, INCREMENTAL.
  static func canShrink(_ database: Database) throws(DatabaseError) -> Bool {
    try database.integer("PRAGMA auto_vacuum") == 2
  }

  /// Changes a small file that an older program created without this mode.
  ///
  /// A larger file stays as it is and reuses its free pages. A failure leaves the file as it was for the next start.
  static func makeShrinkable(_ database: Database) {
    try? changeMode(of: database)
  }

  private static func changeMode(of database: Database) throws(DatabaseError) {
    guard try !canShrink(database) else { return }
    let pages = try database.integer("PRAGMA page_count") ?? 0
    let free = try database.integer("PRAGMA freelist_count") ?? 0
    let size = try database.integer("PRAGMA page_size") ?? 0
    guard (pages - free) * size <= changedSize else { return }
    // In a container the temporary folder may be read-only.
    try database.run("PRAGMA temp_store = MEMORY")
    try database.run("PRAGMA auto_vacuum = INCREMENTAL")
    try database.run("VACUUM")
  }
}
