import Foundation
import FusionSessions
import Testing

@testable import FusionSQLiteSessions

@Suite struct `A copy of another store` {
  private let parent: Folder
  private var folder: String { parent.path + "/copy" }
  private let secret = [UInt8](repeating: 7, count: 32)

  init() throws {
    parent = try Folder()
  }

  private var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
  }

  @Test func `is a store with the other one's sessions and secret`() async throws {
    defer { parent.remove() }
    var session = StoredSession.new(1)
    session.entries = (1...3).map { LogEntry.number($0, key: "key \($0)") }
    session.keys = session.entries.compactMap(\.key)
    let copy = try FolderCopy(folder, secret: secret)
    try copy.add(session)
    try copy.add(.new(2))
    try copy.finish()
    #expect(try files == ["lock", "sessions.sqlite"])
    let store = try SQLiteSessionStore(folder: folder)
    defer { store.close() }
    let inventory = try store.inventory()
    #expect(inventory.secret == secret)
    #expect(inventory.sessions.map(\.id) == [.number(1), .number(2)])
    #expect(try await store.load(.number(1))?.entries == session.entries)
    #expect(try await store.load(.number(1))?.keys == session.keys)
  }

  @Test func `is not a store before it is finished, and is locked until then`() throws {
    defer { parent.remove() }
    do {
      let copy = try FolderCopy(folder, secret: secret)
      try copy.add(.new(1))
      let served = #expect(throws: StoreOpenError.self) { try SQLiteSessionStore(folder: folder) }
      #expect(served == .inUse(folder))
      extendLifetime(copy)
    }
    #expect(try files == ["lock"])
  }

  @Test func `replaces the remains of an interrupted copy`() throws {
    defer { parent.remove() }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let left = try SQLiteSessionStore(folder: folder + "/copy.partial")
    try left.perform(.create(.new(9)))
    left.close()
    let copy = try FolderCopy(folder, secret: secret)
    try copy.add(.new(1))
    try copy.finish()
    #expect(try SQLiteSessionArchive(folder: folder).summaries().map(\.id) == [.number(1)])
  }

  @Test func `refuses a folder with a store`() throws {
    defer { parent.remove() }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let store = try SQLiteSessionStore(folder: folder)
    try store.perform(.create(.new(9)))
    store.close()
    let occupied = #expect(throws: StoreOpenError.self) {
      _ = try FolderCopy(folder, secret: secret)
    }
    #expect(occupied == .occupied(folder))
    #expect(try SQLiteSessionArchive(folder: folder).summaries().map(\.id) == [.number(9)])
  }
}
