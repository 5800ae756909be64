import CFusionFaultingVFS
import Foundation
import FusionSQLiteSessions
import FusionSessions
import Glibc
import Synchronization
import Testing

@Suite struct `Damage in a database` {
  @Test func `in old history stops no commit, is reported once, and is skipped`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    try fill(folder)
    try overwritePage(with: "here it is damaged", in: folder.database)
    var options = SQLiteSessionStore.Options()
    options.historyLimit = 100
    let events = Mutex<[SQLiteSessionStore.Event]>([])
    let store = try SQLiteSessionStore(
      folder: folder.path,
      options,
      report: { event in events.withLock { $0.append(event) } }
    )
    defer { store.close() }
    for number in 2...20 as ClosedRange<UInt64> { try store.perform(.create(.new(number))) }
    try store.perform(.append(to: 1, 1_201...1_201))
    store.tidy()
    let told = events.withLock { $0 }
    #expect(told.count == 1, "\(told)")
    guard case .damagedHistory? = told.first else {
      Issue.record("\(told)")
      return
    }
    #expect(
      try integer("SELECT value FROM mark WHERE name = 'trimmed'", in: folder.database) > 1_000
    )
    #expect(try await store.load(.number(1))?.sequence == 1_201)
  }

  @Test func `fails a backup, and leaves no half of it`() throws {
    let folder = try Folder()
    defer { folder.remove() }
    try fill(folder)
    try overwritePage(with: "here it is damaged", in: folder.database)
    let target = folder.path + "/backup"
    let archive = try SQLiteSessionArchive(folder: folder.path)
    #expect(throws: StoreOpenError.self) { try archive.backUp(to: target) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: target) == ["lock"])
  }

  @Test(arguments: ["ABORT", "ROLLBACK"])
  func `that one session meets does not affect the other sessions of its commit`(
    action: String
  ) async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let name = "damage-\(UUID().uuidString)"
    let vfs = try #require(fvfs_register(name, 1))
    defer { fvfs_unregister(vfs) }
    var options = SQLiteSessionStore.Options()
    options.vfs = name
    let commits = Mutex<[Int]>([])
    let store = try SQLiteSessionStore(folder: folder.path, options) { commit in
      commits.withLock { $0.append(commit.changes) }
    }
    defer { store.close() }
    for number in 1...3 as ClosedRange<UInt64> { try store.perform(.create(.new(number))) }
    // Session 2 has the number 2; the entry is written before the fault.
    try execute(
      """
      CREATE TRIGGER fault AFTER INSERT ON log WHEN NEW.session = 2
      BEGIN SELECT RAISE(\(action), 'no'); END
      """,
      in: folder.database
    )
    let together = try results(
      of: [
        .append(to: 1, 1...2), .append(to: 2, 1...3), .append(to: 3, 1...1),
        .append(to: 1, 3...3), .append(to: 2, 1...1), .end([.number(3)], .deleted, at: .seconds(9)),
      ],
      in: store,
      vfs
    )
    #expect(together == [nil, .damaged("no"), nil, nil, .damaged("no"), nil])
    #expect(try await store.load(.number(1))?.sequence == 3)
    #expect(commits.withLock { $0.last } == 6)
    #expect(try await store.load(.number(2)) == .new(2))
    #expect(try await store.load(.number(3)) == nil)
    try execute("DROP TRIGGER fault", in: folder.database)
    try store.perform(.append(to: 2, 1...1))
    try store.perform(.append(to: 1, 4...4))
    let entries = "SELECT count(*) FROM log WHERE session <> 3"
    #expect(try integer(entries, in: folder.database) == 5)
  }

  /// Commits changes together: they are handed over while the commit before them waits for the disk.
  private func results(
    of changes: [StoreChange],
    in store: SQLiteSessionStore,
    _ vfs: OpaquePointer
  ) throws -> [StoreError?] {
    var rule = fvfs_rule(
      calls: Int32(FVFS_WRITE.rawValue),
      files: Int32(FVFS_LOG.rawValue),
      skip: 0,
      limit: 1,
      percent: 100,
      code: 0
    )
    fvfs_set_rule(vfs, &rule)
    store.commit(.create(.new(99))) { _ in }
    let isHeld = fvfs_wait_for_hang(vfs, 20_000) == 1
    let isDone = DispatchSemaphore(value: 0)
    let results = Mutex<[StoreError?]>([])
    for change in changes {
      store.commit(change) { error in
        results.withLock { $0.append(error) }
        isDone.signal()
      }
    }
    fvfs_set_rule(vfs, nil)
    fvfs_release(vfs)
    for _ in changes { isDone.wait() }
    try #require(isHeld)
    return results.withLock { $0 }
  }

  /// Writes a file too large for a full check at the start: one session with much history.
  private func fill(_ folder: Folder) throws {
    let store = try SQLiteSessionStore(folder: folder.path)
    defer { store.close() }
    try store.perform(.create(.new(1)))
    for first in stride(from: 1, through: 1_191, by: 10) {
      var entries = (first...(first + 9)).map { LogEntry.number($0) }
      for place in entries.indices {
        entries[place].outcome = .state([UInt8](repeating: 0x20, count: 5_000))
      }
      if first == 101 { entries[0].running = ["here it is damaged"] }
      try store.perform(
        .append(.init(.number(1), after: first - 1, entries, head: .after(first + 9)))
      )
    }
  }

  /// Makes the page that contains a text unreadable.
  private func overwritePage(with text: String, in path: String) throws {
    var bytes = try Data(contentsOf: URL(filePath: path))
    let place = try #require(bytes.range(of: Data(text.utf8))).lowerBound
    let page = place / 4_096 * 4_096
    bytes.replaceSubrange(page..<(page + 64), with: Data(repeating: 0x55, count: 64))
    try bytes.write(to: URL(filePath: path))
  }
}
