import Foundation
import FusionSQLiteSessions
import FusionSessions
import Synchronization
import Testing

@Suite struct `A folder's size` {
  @Test func `is bounded: history is dropped, and current entries are kept`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    var options = SQLiteSessionStore.Options()
    options.durability = .relaxed
    options.historyLimit = 100
    options.tidyingStep = 50
    options.checkpointPages = 50
    var store = try SQLiteSessionStore(folder: folder.path, options)
    // A session without heads among sessions with heads.
    try store.perform(.create(.new(1)))
    try store.perform(.append(to: 1, 1...20))
    try store.perform(.create(.new(2)))
    var sizes: [Int] = []
    for round in 0..<30 {
      for first in stride(from: round * 100 + 1, through: round * 100 + 91, by: 10) {
        let head: StoredHead? = first % 20 == 1 ? .after(first + 9) : nil
        try store.perform(.append(to: 2, first...(first + 9), head: head))
      }
      store.tidy()
      sizes.append(store.fileSizes.database)
      #expect(try integer("SELECT count(*) FROM log", in: folder.database) <= 100 + 20)
    }
    // When history is dropped depends on the machine; all of it would be three times as large.
    #expect(sizes[29] <= 2 * sizes[4], "\(sizes)")
    #expect(try await store.load(.number(1))?.entries.count == 20)
    // The entries that were kept are dropped once a head covers them.
    try store.perform(.append(.init(.number(1), after: 20, [], head: .after(20))))
    #expect(try integer("SELECT count(*) FROM log WHERE session = 1", in: folder.database) == 0)
    store.close()
    store = try SQLiteSessionStore(folder: folder.path, options)
    defer { store.close() }
    #expect(try await store.load(.number(1))?.sequence == 20)
    #expect(try await store.load(.number(2))?.sequence == 3_000)
    #expect(try await store.load(.number(2))?.entries.count == 10)
  }

  @Test func `is bounded in bytes, whatever entries contain, even after a restart`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    var options = SQLiteSessionStore.Options()
    options.durability = .relaxed
    options.historyBytes = 2_000_000
    options.freePages = 10
    var store = try SQLiteSessionStore(folder: folder.path, options)
    try store.perform(.create(.new(1)))
    try append(1...200, of: 20_000, in: store)
    let logSize = "SELECT sum(length(outcome)) FROM log"
    #expect((1_500_000...2_000_000).contains(try integer(logSize, in: folder.database)))
    #expect(try await store.load(.number(1))?.sequence == 200)
    store.close()
    // The entries present at a start count, too.
    options.historyBytes = 500_000
    store = try SQLiteSessionStore(folder: folder.path, options)
    store.tidy()
    #expect((300_000...500_000).contains(try integer(logSize, in: folder.database)))
    let newest = "SELECT max(sequence) FROM log"
    #expect(try integer(newest, in: folder.database) == 200)
    // The bytes of an ended session are subtracted.
    try store.perform(.end([.number(1)], .deleted, at: .seconds(1)))
    store.tidy()
    try store.perform(.create(.new(2)))
    try append(1...15, of: 20_000, to: 2, in: store)
    #expect(try integer("SELECT count(*) FROM log", in: folder.database) == 15)
    store.close()
  }

  @Test func `shrinks when sessions end`() throws {
    let folder = try Folder()
    defer { folder.remove() }
    var options = SQLiteSessionStore.Options()
    options.durability = .relaxed
    options.freePages = 50
    let store = try SQLiteSessionStore(folder: folder.path, options)
    defer { store.close() }
    try store.perform(.create(.new(1)))
    try store.perform(.create(.new(2)))
    try append(1...200, of: 20_000, in: store)
    try store.perform(.append(to: 2, 1...5))
    store.tidy()
    #expect(store.fileSizes.database > 4_000_000)
    try store.perform(.end([.number(1)], .deleted, at: .seconds(1)))
    store.tidy()
    #expect(store.fileSizes.database < 1_000_000)
    #expect(try integer("SELECT count(*) FROM log", in: folder.database) == 5)
  }

  /// Appends entries one by one, each of the given number of bytes, with a head after every tenth.
  private func append(
    _ sequences: ClosedRange<Int>,
    of bytes: Int,
    to number: UInt64 = 1,
    in store: SQLiteSessionStore
  ) throws {
    for sequence in sequences {
      var entry = LogEntry.number(sequence)
      entry.outcome = .state([UInt8](repeating: 0x20, count: bytes))
      let head: StoredHead? = sequence.isMultiple(of: 10) ? .after(sequence) : nil
      try store.perform(.append(.init(.number(number), after: sequence - 1, [entry], head: head)))
    }
    store.tidy()
  }

  @Test func `includes nothing of ended sessions`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    var options = SQLiteSessionStore.Options()
    options.tidyingStep = 7
    options.sweepPause = .zero
    let store = try SQLiteSessionStore(folder: folder.path, options)
    defer { store.close() }
    for number in 1...10 as ClosedRange<UInt64> { try store.perform(.create(.new(number))) }
    for first in stride(from: 1, through: 41, by: 10) {
      for number in 1...10 as ClosedRange<UInt64> {
        let head: StoredHead? = first == 21 ? .after(30) : nil
        try store.perform(.append(to: number, first...(first + 9), keys: true, head: head))
      }
    }
    for number in 1...9 as ClosedRange<UInt64> {
      try store.perform(.alarms(of: number, 51, set: [.named("tea", 5)]))
    }
    let ended = (1...9).map { SessionID.number(UInt64($0)) }
    try store.perform(.end(ended, .deleted, at: .seconds(100)))
    store.tidy()
    #expect(try integer("SELECT count(*) FROM log WHERE session <> 10", in: folder.database) == 0)
    for rows in ["leftover", "alarm", "key WHERE session <> 10"] {
      #expect(try integer("SELECT count(*) FROM \(rows)", in: folder.database) == 0)
    }
    let session = try await store.load(.number(10))
    #expect(session?.entries.count == 20 && session?.keys.count == 50)
  }

  @Test func `continues to shrink at the next start`() throws {
    let folder = try Folder()
    defer { folder.remove() }
    var options = SQLiteSessionStore.Options()
    options.sweepPause = .seconds(1_000_000)
    let store = try SQLiteSessionStore(folder: folder.path, options)
    // The first pass may begin at once, and finds this session; the second has to wait.
    for number in 1...2 as ClosedRange<UInt64> {
      try store.perform(.create(.new(number)))
      try store.perform(.append(to: number, 1...5))
      try store.perform(.end([.number(number)], .deleted, at: .seconds(9)))
      store.tidy()
    }
    #expect(try integer("SELECT count(*) FROM log", in: folder.database) == 5)
    store.close()
    let next = try SQLiteSessionStore(folder: folder.path, options)
    defer { next.close() }
    next.tidy()
    #expect(try integer("SELECT count(*) FROM log", in: folder.database) == 0)
  }

  @Test func `has a limit: changes beyond it are refused, and stored data stays`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    var options = SQLiteSessionStore.Options()
    options.pageLimit = 60
    let store = try SQLiteSessionStore(folder: folder.path, options)
    defer { store.close() }
    try store.perform(.create(.new(1)))
    let stored = try fill(store)
    #expect(stored > 0)
    #expect(try await store.load(.number(1))?.sequence == stored)
    #expect(throws: StoreError.full) { try store.perform(.probe) }
    // The sequence is still correct after the failure, and a change that fits is accepted.
    #expect(throws: StoreError.conflict) {
      try store.perform(.append(to: 1, (stored + 2)...(stored + 2)))
    }
    try store.perform(.use([.number(1): .seconds(1_000_000)]))
    try store.perform(.end([.number(1)], .deleted, at: .seconds(1)))
    store.tidy()
    try store.perform(.probe)
    try store.perform(.create(.new(2)))
    #expect(try fill(store, .number(2)) > 0)
  }

  @Test func `grows by commits that are each reported`() throws {
    let folder = try Folder()
    defer { folder.remove() }
    let commits = Mutex<[StoreCommit]>([])
    let store = try SQLiteSessionStore(folder: folder.path) { commit in
      commits.withLock { $0.append(commit) }
    }
    try store.perform(.create(.new(1)))
    store.commit(.append(to: 1, 1...3)) { _ in }
    store.commit(.append(to: 1, 4...4)) { _ in }
    store.close()
    let all = commits.withLock { $0 }
    #expect(all.reduce(0) { $0 + $1.changes } == 3)
    #expect(all.reduce(0) { $0 + $1.entries } == 4)
    #expect(all.allSatisfy { !$0.hasFailed && $0.duration > .zero })
  }
}

/// Appends until no space is left; returns the last stored entry's sequence.
func fill(_ store: SQLiteSessionStore, _ id: SessionID = .number(1)) throws -> Int {
  for sequence in 1...100_000 {
    var entry = LogEntry.number(sequence)
    entry.outcome = .state([UInt8](repeating: 0x20, count: 5_000))
    do {
      try store.perform(.append(.init(id, after: sequence - 1, [entry])))
    } catch {
      #expect(error == .full)
      return sequence - 1
    }
  }
  Issue.record("the store never became full")
  return 0
}
