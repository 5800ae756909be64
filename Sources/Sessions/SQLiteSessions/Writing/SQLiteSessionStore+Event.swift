extension SQLiteSessionStore {
  /// What whoever runs the store should know.
  package enum Event: Sendable, Equatable {
    /// Another process has the folder: it is waited for.
    case waitsForLock
    /// The folder is on a file system of that name, on which locks and syncs may promise less.
    case remoteFileSystem(String)
    /// Some old history can be neither read nor dropped; told once. Sessions go on.
    case damagedHistory(String)
    /// Old history, or what ended sessions have left, cannot be dropped now; told once until it can be.
    case tidyingFailed(String)
    /// The file of an older version is too large to be changed at a start into one that shrinks.
    case keepsItsSize
    /// The write-ahead log could not be moved into the database, so many times now; nothing is lost, and
    /// it is tried again.
    case checkpointFailed(String, count: Int)
    /// The write-ahead log has so many pages of 4 KiB; told once until it is short again.
    case longLog(pages: Int)
  }
}
