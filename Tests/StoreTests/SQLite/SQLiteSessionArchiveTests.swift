import Foundation
import FusionSessions
import Testing

@testable import FusionSQLiteSessions

@Suite struct `An archive` {
  private let folder: Folder
  private let store: SQLiteSessionStore

  init() throws {
    folder = try Folder()
    store = try SQLiteSessionStore(folder: folder.path)
    try store.perform(.create(.new(1)))
    try store.perform(.append(to: 1, 1...3, keys: true))
    try store.perform(.append(to: 1, 4...4, head: .after(4, running: ["tick"])))
    try store.perform(.append(to: 1, 5...6))
    try store.perform(.create(.new(2, at: .seconds(50))))
  }

  @Test func `lists the sessions while they are served`() throws {
    defer { remove() }
    let summaries = try SQLiteSessionArchive(folder: folder.path).summaries()
    #expect(summaries.map(\.id) == [.number(1), .number(2)])
    #expect(summaries.map(\.viewModel) == ["counter", "counter"])
    #expect(summaries.map(\.version) == [7, 1])
    #expect(summaries.map(\.created) == [.seconds(0), .seconds(50)])
    #expect(summaries.map(\.used) == [.seconds(6), .seconds(50)])
    #expect(summaries.map(\.stateSize) == [11, 11])
    #expect(summaries.map(\.entries) == [6, 0])
    #expect(summaries.map(\.logSize) == [6 * (11 + 20), 0])
  }

  @Test func `loads the same as the store`() async throws {
    defer { remove() }
    let archive = try SQLiteSessionArchive(folder: folder.path)
    for number in 1...3 as ClosedRange<UInt64> {
      #expect(try await store.load(.number(number)) == archive.load(.number(number)))
    }
    // Later changes are visible, too.
    try store.perform(.append(to: 1, 7...7))
    #expect(try archive.load(.number(1))?.sequence == 7)
  }

  @Test func `returns a session's whole log`() throws {
    defer { remove() }
    let archive = try SQLiteSessionArchive(folder: folder.path)
    let log = (1...6).map { LogEntry.number($0, key: $0 < 4 ? "key \($0)" : nil) }
    #expect(try archive.log(of: .number(1)) == log)
    #expect(try archive.log(of: .number(2)) == [])
    #expect(try archive.log(of: .number(3)) == [])
  }

  @Test func `keeps no transaction open for long, even if entries are dropped meanwhile`() throws {
    defer { remove() }
    for sequence in 7...20 { try store.perform(.append(to: 1, sequence...sequence)) }
    let archive = try SQLiteSessionArchive(folder: folder.path)
    archive.step = 5
    // The checkpoint returns 1 if a reader blocks it.
    let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)"
    var isInTheWay: [Int?] = []
    archive.pause = { isInTheWay.append(try? integer(checkpoint, in: folder.database)) }
    #expect(try archive.log(of: .number(1)).map(\.sequence) == Array(1...20))
    #expect(try archive.summaries().map(\.entries) == [20, 0])
    #expect(isInTheWay == Array(repeating: 0, count: 8))
    archive.pause = { try? execute("DELETE FROM log WHERE sequence < 13", in: folder.database) }
    #expect(try archive.log(of: .number(1)).map(\.sequence) == Array(13...20))
  }

  @Test func `reads without a running service, and does not block one`() throws {
    defer { remove() }
    store.close()
    let archive = try SQLiteSessionArchive(folder: folder.path)
    #expect(try archive.summaries().count == 2)
    let next = try SQLiteSessionStore(folder: folder.path)
    try next.perform(.append(to: 1, 7...7))
    #expect(try archive.load(.number(1))?.sequence == 7)
    next.close()
    #expect(try archive.load(.number(1))?.sequence == 7)
  }

  @Test func `cannot be opened without sessions`() throws {
    defer { remove() }
    let error = #expect(throws: StoreOpenError.self) {
      try SQLiteSessionArchive(folder: "/nowhere")
    }
    #expect(error?.description == "there are no sessions in /nowhere")
  }

  @Test func `backs up to a folder with which a service can start`() async throws {
    defer { remove() }
    let target = folder.path + "/backup"
    let archive = try SQLiteSessionArchive(folder: folder.path)
    try archive.backUp(to: target)
    try store.perform(.append(to: 1, 7...7))
    let copy = try SQLiteSessionStore(folder: target)
    defer { copy.close() }
    #expect(try copy.inventory().sessions.map(\.id) == [.number(1), .number(2)])
    #expect(try await copy.load(.number(1))?.entries.map(\.sequence) == [5, 6])
    #expect(try await store.load(.number(1))?.sequence == 7)
    try copy.perform(.append(to: 1, 7...7))
    let files = try FileManager.default.contentsOfDirectory(atPath: target)
    #expect(!files.contains { $0.hasSuffix(".partial") })
    for file in files {
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(target)/\(file)")
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600, "\(file)")
    }
  }

  @Test func `throws if a table cannot be read`() throws {
    defer { remove() }
    let archive = try SQLiteSessionArchive(folder: folder.path)
    for table in ["head", "crash"] { try execute("DROP TABLE \(table)", in: folder.database) }
    #expect(throws: StoreError.self) { try archive.load(.number(1)) }
    #expect(throws: StoreError.self) {
      try SQLiteSessionArchive.resume(.number(1), in: folder.path)
    }
  }

  @Test func `does not overwrite a store with a backup`() throws {
    defer { remove() }
    let archive = try SQLiteSessionArchive(folder: folder.path)
    let served = #expect(throws: StoreOpenError.self) { try archive.backUp(to: folder.path) }
    #expect(served == .inUse(folder.path))
    store.close()
    let occupied = #expect(throws: StoreOpenError.self) { try archive.backUp(to: folder.path) }
    #expect(occupied == .occupied(folder.path))
    #expect(try archive.summaries().count == 2)
  }

  @Test func `reads every session with its whole log, one after another`() throws {
    defer { remove() }
    // The remains of ended sessions are not read.
    try store.perform(.create(.new(3)))
    try store.perform(.append(to: 3, 1...1))
    try store.perform(.append(to: 2, 1...1))
    try store.perform(.end([.number(3)], .deleted, at: .seconds(60)))
    let archive = try SQLiteSessionArchive(folder: folder.path)
    var secret: [UInt8] = []
    let read = try archive.read {
      secret = $0
      return [(StoredSession, [LogEntry])]()
    } _: { read, session, log in
      read.append((session, log))
    }
    #expect(try secret == store.inventory().secret)
    #expect(read.map(\.0.id) == [.number(1), .number(2)])
    for (session, log) in read {
      let history = try archive.history(of: session.id)
      #expect(history?.session == session)
      #expect(history?.log == log)
    }
  }

  @Test func `excludes services if it is opened exclusively`() throws {
    defer { remove() }
    let served = #expect(throws: StoreOpenError.self) {
      try SQLiteSessionArchive(folder: folder.path, isAlone: true)
    }
    #expect(served == .inUse(folder.path))
    store.close()
    let archive = try SQLiteSessionArchive(folder: folder.path, isAlone: true)
    let kept = #expect(throws: StoreOpenError.self) {
      try SQLiteSessionStore(folder: folder.path)
    }
    #expect(kept == .inUse(folder.path))
    extendLifetime(archive)
  }

  @Test(arguments: ["DELETE FROM log WHERE sequence = 5", "UPDATE log SET kind = 7"])
  func `names an unreadable session in the error`(damage: String) throws {
    defer { remove() }
    try execute(damage, in: folder.database)
    let error = #expect(throws: StoreError.self) {
      try SQLiteSessionArchive(folder: folder.path).read { _ in
      } _: { _, _, _ in
      }
    }
    guard case .damaged(let text) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(text.hasPrefix("session \(SessionID.number(1)): an entry "))
    var found: [SessionID: Bool] = [:]
    try SQLiteSessionArchive(folder: folder.path).read { _ in
    } wanted: { _ in
      true
    } damaged: { _, id, _ in
      found[id] = false
    } _: { _, session, _ in
      found[session.id] = true
    }
    #expect(found[.number(1)] == false)
    #expect(found.values.contains(true))
    #expect(try SQLiteSessionArchive(folder: folder.path).count() == found.count)
  }

  @Test func `moves a session from one folder to another`() async throws {
    defer { remove() }
    let exported = try #require(try SQLiteSessionArchive(folder: folder.path).load(.number(1)))
    let other = try Folder()
    defer { other.remove() }
    let target = try SQLiteSessionStore(folder: other.path)
    defer { target.close() }
    try target.perform(.create(exported))
    #expect(try await target.load(.number(1)) == exported)
    #expect(throws: StoreError.conflict) { try target.perform(.create(exported)) }
    try target.perform(.append(to: 1, 7...7, head: .after(7)))
    let keys = try await target.load(.number(1))?.keys.map(\.key)
    #expect(keys == ["key 1", "key 2", "key 3"])
  }

  private func remove() {
    store.close()
    folder.remove()
  }
}
