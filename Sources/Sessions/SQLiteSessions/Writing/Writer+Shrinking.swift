extension Writer {
  /// Gives some free pages back to the disk, where there are many; returns whether it did.
  ///
  /// Pages from the end of the file take the place of free ones, so that it can be cut off. A step is 1 MiB
  /// at the most, since a commit after it waits for that; the file itself is shorter after a checkpoint.
  func shrink() throws(DatabaseError) -> Bool {
    guard mayShrink, canShrink else { return false }
    let free = try database.integer("PRAGMA freelist_count") ?? 0
    // Not for a few: the next commits need some.
    guard free > Int64(isShrinking ? options.freePages : 2 * options.freePages) else {
      if isShrinking { checkpointer.request() }
      (mayShrink, isShrinking) = (false, false)
      return false
    }
    isShrinking = true
    let passed = try passing { () throws(DatabaseError) in
      try database.run("PRAGMA incremental_vacuum(256)")
    }
    if !passed { canShrink = false }
    return passed
  }
}
