import Dispatch
import FusionSessions

/// The shares of a store, read on a connection and a thread of their own.
///
/// So requests with guessed ids delay no commit. A share is found once its commit is done.
final class ShareReader: @unchecked Sendable {
  // Guard: `queue`, on which all of it runs; `end` asserts it.
  private let queue = DispatchQueue(label: "shares", qos: .userInitiated)
  private let database: Database
  private var isClosed = false
  private static let isQueue = DispatchSpecificKey<Bool>()

  /// Opens the database and its log now: another folder may be at this path later.
  init(folder: String, vfs: String?) throws(DatabaseError) {
    database = try Database(Schema.file(in: folder), .read, vfs: vfs)
    _ = try database.integer("SELECT count(*) FROM sqlite_schema")
    queue.setSpecific(key: Self.isQueue, value: true)
  }

  func find(_ query: ShareQuery, _ done: @escaping StoreAnswer<[StoredShare]>) {
    queue.async { [self] in
      guard !isClosed else { return done(.failure(.closed)) }
      let result = Result { () throws(DatabaseError) in
        try ShareRows.find(query, in: database)
      }
      done(result.mapError(\.storeError))
    }
  }

  /// Waits for earlier requests, unless a `done` is the caller, and refuses later ones.
  func close() {
    if DispatchQueue.getSpecific(key: Self.isQueue) == true {
      end()
    } else {
      queue.sync(execute: end)
    }
  }

  private func end() {
    #if DEBUG
      dispatchPrecondition(condition: .onQueue(queue))
    #endif
    guard !isClosed else { return }
    isClosed = true
    database.close()
  }
}
