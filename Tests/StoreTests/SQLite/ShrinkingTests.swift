import Foundation
import FusionSQLiteSessions
import FusionSessions
import Synchronization
import Testing

@Suite struct `A file of an older version that cannot shrink` {
  private func withFolder(
    _ more: String = "",
    _ body: (Folder) async throws -> Void
  ) async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let store = try SQLiteSessionStore(folder: folder.path)
    try store.perform(.create(.new(1)))
    try store.perform(.append(to: 1, 1...5))
    store.close()
    try execute("\(more); PRAGMA auto_vacuum = NONE; VACUUM", in: folder.database)
    #expect(try mode(folder.database) == 0)
    try await body(folder)
  }

  private func mode(_ path: String) throws -> Int { try integer("PRAGMA auto_vacuum", in: path) }

  @Test func `is converted at a start, with all its contents`() async throws {
    try await withFolder { folder in
      let store = try SQLiteSessionStore(folder: folder.path)
      defer { store.close() }
      #expect(try mode(folder.database) == 2)
      #expect(try await store.load(.number(1))?.sequence == 5)
      try store.perform(.append(to: 1, 6...6))
    }
  }

  @Test func `is kept unchanged if it is large, which is reported`() async throws {
    try await withFolder("INSERT INTO probe (padding) VALUES (zeroblob(34000000))") { folder in
      let events = Mutex<[SQLiteSessionStore.Event]>([])
      let store = try SQLiteSessionStore(
        folder: folder.path,
        report: { event in events.withLock { $0.append(event) } }
      )
      defer { store.close() }
      #expect(events.withLock { $0 } == [.keepsItsSize])
      #expect(try mode(folder.database) == 0)
      try store.perform(.append(to: 1, 6...6))
      store.tidy()
      #expect(try await store.load(.number(1))?.sequence == 6)
    }
  }

  @Test func `is backed up to a file that can shrink`() async throws {
    try await withFolder { folder in
      try SQLiteSessionArchive(folder: folder.path).backUp(to: folder.path + "/backup")
      #expect(try mode(folder.path + "/backup/sessions.sqlite") == 2)
    }
  }
}
