import Foundation
import FusionSQLiteSessions
import FusionSessions
import Testing

@Suite struct `A committed change` {
  private let sessions: [StoredSession] = [
    .new(1).with((1...3).map { .number($0) }),
    .new(2).with([.number(1, key: "a")]),
    .new(3),
  ]

  @Test func `survives a close`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    var store = try SQLiteSessionStore(folder: folder.path)
    let inventory = try write(store)
    store.close()
    store = try SQLiteSessionStore(folder: folder.path)
    defer { store.close() }
    try await check(store, inventory)
  }

  @Test func `survives a kill of the process`() async throws {
    let (folder, copy) = (try Folder(), try Folder())
    defer { for folder in [folder, copy] { folder.remove() } }
    let store = try SQLiteSessionStore(folder: folder.path)
    let inventory = try write(store)
    try copyFiles(folder, copy)
    let next = try SQLiteSessionStore(folder: copy.path)
    try await check(next, inventory)
    next.close()
    store.close()
  }

  @Test(arguments: 1...6)
  func `is stored as a whole or not at all wherever the log is cut off`(part: Int) async throws {
    let (folder, copy) = (try Folder(), try Folder())
    defer { for folder in [folder, copy] { folder.remove() } }
    let store = try SQLiteSessionStore(folder: folder.path)
    try store.perform(.create(.new(1)))
    for first in stride(from: 1, through: 99, by: 3) {
      try store.perform(.append(to: 1, first...(first + 2)))
    }
    try copyFiles(folder, copy)
    let log = URL(filePath: copy.database + "-wal")
    let bytes = try Data(contentsOf: log)
    try bytes.prefix(bytes.count * part / 7).write(to: log)
    let next = try SQLiteSessionStore(folder: copy.path)
    if let session = try await next.load(.number(1)) {
      #expect(session.sequence.isMultiple(of: 3))
      #expect(session.entries.map(\.sequence) == Array((0...session.sequence).dropFirst()))
      try next.perform(.append(to: 1, (session.sequence + 1)...(session.sequence + 1)))
    }
    next.close()
    store.close()
  }

  @Test func `survives even if the log before it was emptied`() async throws {
    let (folder, copy) = (try Folder(), try Folder())
    defer { for folder in [folder, copy] { folder.remove() } }
    var options = SQLiteSessionStore.Options()
    options.historyLimit = 0
    var store = try SQLiteSessionStore(folder: folder.path, options)
    try store.perform(.create(.new(1)))
    try store.perform(.append(to: 1, 1...9, head: .after(9)))
    store.tidy()
    #expect(try integer("SELECT count(*) FROM log", in: folder.database) == 0)
    store.close()
    store = try SQLiteSessionStore(folder: folder.path, options)
    try store.perform(.append(to: 1, 10...10))
    try copyFiles(folder, copy)
    store.close()
    let next = try SQLiteSessionStore(folder: copy.path)
    #expect(try await next.load(.number(1))?.sequence == 10)
    next.close()
  }

  @Test func `is not attributed to an ended session whose entries are still in the log`()
    async throws
  {
    let folder = try Folder()
    defer { folder.remove() }
    var options = SQLiteSessionStore.Options()
    options.sweepPause = .seconds(1_000_000)
    var store = try SQLiteSessionStore(folder: folder.path, options)
    for number in 1...3 as ClosedRange<UInt64> {
      try store.perform(.create(.new(number)))
      try store.perform(.append(to: number, 1...5))
      try store.perform(.end([.number(number)], .deleted, at: .seconds(9)))
      store.close()
      store = try SQLiteSessionStore(folder: folder.path, options)
    }
    try store.perform(.create(.new(4)))
    store.close()
    store = try SQLiteSessionStore(folder: folder.path, options)
    defer { store.close() }
    #expect(try await store.load(.number(4)) == .new(4))
    #expect(try store.inventory().ended.count == 3)
  }

  private func write(_ store: SQLiteSessionStore) throws -> StoreInventory {
    for session in sessions {
      var new = session
      (new.entries, new.keys, new.used) = ([], [], session.created)
      try store.perform(.create(new))
    }
    for session in sessions {
      for entry in session.entries {
        try store.perform(.append(.init(session.id, after: entry.sequence - 1, [entry])))
      }
    }
    try store.perform(.create(.new(4)))
    try store.perform(.end([.number(4)], .expired, at: .seconds(7)))
    return try store.inventory()
  }

  private func check(_ store: SQLiteSessionStore, _ inventory: StoreInventory) async throws {
    #expect(inventory.sessions.count == 3)
    #expect(try store.inventory() == inventory)
    for session in sessions { #expect(try await store.load(session.id) == session) }
    #expect(throws: StoreError.conflict) { try store.perform(.append(to: 1, 3...3)) }
    try store.perform(.append(to: 1, 4...4))
  }

  /// Copies the files as a disk has them after the process was killed.
  private func copyFiles(_ folder: Folder, _ copy: Folder) throws {
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: folder.database + suffix,
        toPath: copy.database + suffix
      )
    }
  }
}
