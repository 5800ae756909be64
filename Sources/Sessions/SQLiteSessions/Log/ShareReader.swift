import Dispatch
import FusionSessions

/// The shares of a store, read on a connection and a thread of their own, opened with the first question.
///
/// Whoever asks for ids at random keeps no commit waiting. A share is found once its commit is done.
final class ShareReader: @unchecked Sendable {
  // Guard: `queue`, on which all of it is used.
  private let queue = DispatchQueue(label: "shares", qos: .userInitiated)
  private let path: String
  private let vfs: String?
  private var database: Database?
  private var isClosed = false

  init(folder: String, vfs: String?) {
    path = Schema.file(in: folder)
    self.vfs = vfs
  }

  /// Finds shares; must not be called by a `done`.
  func find(_ query: ShareQuery, _ done: @escaping StoreAnswer<[StoredShare]>) {
    queue.async { [self] in
      guard !isClosed else { return done(.failure(.closed)) }
      let result = Result { () throws(DatabaseError) in
        try ShareRows.find(query, in: try connection())
      }
      done(result.mapError(\.storeError))
    }
  }

  private func connection() throws(DatabaseError) -> Database {
    if let database { return database }
    let database = try Database(path, .read, vfs: vfs)
    self.database = database
    return database
  }

  /// Waits for what was asked, and refuses what comes later.
  func close() {
    queue.sync {
      isClosed = true
      database?.close()
      database = nil
    }
  }
}
