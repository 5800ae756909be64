import FusionSQLiteSessions
import FusionSessions
import Synchronization
import Testing

@Suite struct `A folder's writer` {
  /// More reads than the writer takes at once: some still wait when the commit before them is done.
  private static let reads = 65

  @Test func `does not run the completion of a commit, even if it has nothing else to do`()
    async throws
  {
    let (folder, store) = try open()
    defer { folder.remove() }
    defer { store.close() }
    let sessions = try await withCheckedThrowingContinuation { continuation in
      store.commit(.create(.new(1))) { _ in
        // Waits for the writer, which would be a deadlock on the writer's own thread.
        continuation.resume(with: Result { try store.inventory().sessions.count })
      }
    }
    #expect(sessions == 1)
  }

  @Test func `closes after a completion that closes it, and completes all earlier requests`()
    async throws
  {
    let (folder, store) = try open()
    defer { folder.remove() }
    let told = Mutex(0)
    await withCheckedContinuation { continuation in
      commitBeforeReads(in: store, read: { told.withLock { $0 += 1 } }) {
        store.close()
        store.commit(.probe) { error in
          #expect(error == .closed)
          continuation.resume()
        }
      }
    }
    #expect(told.withLock { $0 } == Self.reads)
    try SQLiteSessionStore(folder: folder.path).close()
  }

  private func open() throws -> (Folder, SQLiteSessionStore) {
    let folder = try Folder()
    return (folder, try SQLiteSessionStore(folder: folder.path))
  }

  /// Commits a session alone, and from its completion another session and many reads.
  private func commitBeforeReads(
    in store: SQLiteSessionStore,
    read: @escaping @Sendable () -> Void = {},
    _ done: @escaping @Sendable () -> Void
  ) {
    store.commit(.create(.new(1))) { _ in
      store.commit(.create(.new(2))) { _ in done() }
      for _ in 0..<Self.reads { store.load(.number(1)) { _ in read() } }
    }
  }
}
