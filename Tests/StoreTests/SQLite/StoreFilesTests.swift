import Foundation
import FusionSQLiteSessions
import FusionSessions
import Testing

@Suite struct `A folder that is removed or replaced while it is served` {
  enum Loss: CaseIterable {
    case folder, database, log, replacedDatabase

    func happens(to folder: Folder) throws {
      let files = FileManager.default
      switch self {
      case .folder: try files.moveItem(atPath: folder.path, toPath: folder.path + ".away")
      case .database, .replacedDatabase:
        try files.moveItem(atPath: folder.database, toPath: folder.database + ".away")
        guard self == .replacedDatabase else { return }
        try files.copyItem(atPath: folder.database + ".away", toPath: folder.database)
      case .log:
        try files.moveItem(atPath: folder.database + "-wal", toPath: folder.database + "-wal.away")
      }
    }

    func ends(for folder: Folder) throws {
      let path =
        switch self {
        case .folder: folder.path
        case .database, .replacedDatabase: folder.database
        case .log: folder.database + "-wal"
        }
      try? FileManager.default.removeItem(atPath: path)
      try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
    }
  }

  @Test(arguments: Loss.allCases)
  func `accepts no more changes until it is restored`(loss: Loss) async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let store = try SQLiteSessionStore(folder: folder.path)
    defer { store.close() }
    try store.perform(.create(.new(1)))
    #expect(store.checkFiles() == nil)
    try loss.happens(to: folder)
    let error = try #require(store.checkFiles())
    guard case .unreachable(let text) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(text.contains("deleted or replaced") && !text.contains("/"))
    #expect(throws: error) { try store.perform(.append(to: 1, 1...1)) }
    #expect(throws: error) { try store.perform(.probe) }
    try loss.ends(for: folder)
    #expect(store.checkFiles() == nil)
    try store.perform(.append(to: 1, 1...1))
    #expect(try await store.load(.number(1))?.sequence == 1)
  }

  @Test func `still returns its own shares, not those of a folder in its place`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let store = try SQLiteSessionStore(folder: folder.path)
    defer { store.close() }
    try store.perform(.create(.new(1)))
    try store.perform(.share(.number(1, of: 1)))
    try FileManager.default.moveItem(atPath: folder.path, toPath: folder.path + ".away")
    defer { try? FileManager.default.removeItem(atPath: folder.path + ".away") }
    try FileManager.default.createDirectory(
      atPath: folder.path,
      withIntermediateDirectories: true
    )
    let other = try SQLiteSessionStore(folder: folder.path)
    defer { other.close() }
    #expect(try await store.shares(.session(.number(1))) == [.number(1, of: 1)])
  }

  @Test func `can be closed from the completion of a query for shares`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let store = try SQLiteSessionStore(folder: folder.path)
    await withCheckedContinuation { continuation in
      store.shares(.session(.number(1))) { _ in
        store.close()
        continuation.resume()
      }
    }
    await #expect(throws: StoreError.closed) { try await store.shares(.session(.number(1))) }
    try SQLiteSessionStore(folder: folder.path).close()
  }
}
