import CFusionFaultingVFS
import CFusionSQLite
import Dispatch
import Foundation
import FusionSQLiteSessions
import FusionSessions
import Synchronization
import Testing

@Suite struct `The write-ahead log` {
  /// Runs a test with a store whose database, but not its log, fails or hangs while a rule is set.
  private func withStore(
    _ code: Int32,
    _ body: (SQLiteSessionStore, OpaquePointer, borrowing Mutex<[SQLiteSessionStore.Event]>) throws
      -> Void
  ) throws {
    let folder = try Folder()
    defer { folder.remove() }
    let name = "checkpoints-\(UUID().uuidString)"
    let vfs = try #require(fvfs_register(name, 1))
    defer { fvfs_unregister(vfs) }
    let events = Mutex<[SQLiteSessionStore.Event]>([])
    var options = SQLiteSessionStore.Options()
    options.vfs = name
    options.checkpointPages = 10
    let store = try SQLiteSessionStore(
      folder: folder.path,
      options,
      report: { event in events.withLock { $0.append(event) } }
    )
    defer { store.close() }
    try store.perform(.create(.new(1)))
    store.tidy()
    var rule = fvfs_rule(
      calls: Int32(FVFS_WRITE.rawValue),
      files: Int32(FVFS_DATABASE.rawValue),
      skip: 0,
      limit: -1,
      percent: 100,
      code: code
    )
    fvfs_set_rule(vfs, &rule)
    // However the test ends, nothing waits forever.
    defer {
      fvfs_set_rule(vfs, nil)
      fvfs_release(vfs)
    }
    try body(store, vfs, events)
  }

  @Test func `is moved in the background while commits go on, even if the database's disk hangs`()
    throws
  {
    try withStore(0) { store, vfs, _ in
      let isDone = DispatchSemaphore(value: 0)
      for sequence in 1...30 {
        store.commit(.append(to: 1, sequence...sequence)) { _ in isDone.signal() }
        try #require(isDone.wait(timeout: .now() + 20) == .success)
      }
      #expect(fvfs_wait_for_hang(vfs, 20_000) == 1)
      store.commit(.append(to: 1, 31...31)) { _ in isDone.signal() }
      #expect(isDone.wait(timeout: .now() + 20) == .success)
    }
  }

  @Test func `is kept while it cannot be moved, and each failure is reported`() throws {
    try withStore(SQLITE_IOERR | 3 << 8) { store, vfs, events in
      try store.perform(.append(to: 1, 1...1))
      store.tidy()
      store.tidy()
      let counts = events.withLock { $0 }.map { event in
        if case .checkpointFailed(_, let count) = event { count } else { 0 }
      }
      #expect(counts == [1, 2])
      fvfs_set_rule(vfs, nil)
      try store.perform(.append(to: 1, 2...2))
      store.tidy()
      #expect(events.withLock { $0.count } == 2)
    }
  }

  @Test
  func `is reported as long once each time that a reader blocks it, and is reused afterwards`()
    throws
  {
    let folder = try Folder()
    defer { folder.remove() }
    let events = Mutex<[SQLiteSessionStore.Event]>([])
    var options = SQLiteSessionStore.Options()
    options.checkpointPages = 10
    options.longLogPages = 100
    let store = try SQLiteSessionStore(
      folder: folder.path,
      options,
      report: { event in events.withLock { $0.append(event) } }
    )
    defer { store.close() }
    try store.perform(.create(.new(1)))
    var reader: OpaquePointer?
    try #require(sqlite3_open(folder.database, &reader) == SQLITE_OK)
    defer { sqlite3_close(reader) }
    let read = "BEGIN; SELECT count(*) FROM session"
    try #require(sqlite3_exec(reader, read, nil, nil, nil) == SQLITE_OK)
    for sequence in 1...150 { try store.perform(.append(to: 1, sequence...sequence)) }
    let told = events.withLock { $0 }
    #expect(told.count == 1)
    guard case .longLog(let pages)? = told.first else {
      Issue.record("\(told)")
      return
    }
    #expect(pages >= 100)
    try #require(sqlite3_exec(reader, "COMMIT", nil, nil, nil) == SQLITE_OK)
    store.tidy()
    let size = store.fileSizes.log
    for sequence in 151...200 { try store.perform(.append(to: 1, sequence...sequence)) }
    #expect(store.fileSizes.log == size && events.withLock { $0.count } == 1)
    try #require(sqlite3_exec(reader, read, nil, nil, nil) == SQLITE_OK)
    for sequence in 201...350 { try store.perform(.append(to: 1, sequence...sequence)) }
    #expect(events.withLock { $0.count } == 2)
  }
}
