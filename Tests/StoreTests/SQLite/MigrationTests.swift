import Foundation
import FusionKeyedDigest
import FusionSessions
import Testing

@testable import FusionSQLiteSessions

/// `Folders/format-1.sqlite` was written by version 1: three sessions; the head of one covers only part of
/// its keys.
@Suite struct `A folder of format 1` {
  private let counter = SessionID("4LEWLuHwzIaU6J5ipi84YQ")
  private let todos = SessionID("4jerGvUEB-4zOhfpRIoQfg")

  private func withFolder(
    _ name: String = "format-1",
    _ body: (Folder) async throws -> Void
  ) async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let old = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Folders/\(name).sqlite")
    try FileManager.default.createDirectory(
      atPath: folder.path,
      withIntermediateDirectories: true
    )
    try FileManager.default.copyItem(atPath: old.path, toPath: folder.database)
    try await body(folder)
  }

  @Test func `is migrated at a start, with all its contents`() async throws {
    try await withFolder { folder in
      for _ in 1...2 {
        let store = try SQLiteSessionStore(folder: folder.path)
        defer { store.close() }
        #expect(try store.inventory().sessions.count == 3)
        let session = try await load(counter, from: store)
        #expect(session.sequence == 74)
        #expect(session.entries.last?.version == 75)
        #expect(session.entries.last?.outcome == .state(state(72)))
        let notes = try await load(todos, from: store)
        #expect(notes.entries.contains { if case .patch = $0.outcome { true } else { false } })
      }
      #expect(try integer("PRAGMA user_version", in: folder.database) == 6)
      // The migrated file can shrink (INCREMENTAL), which the old one could not.
      #expect(try integer("PRAGMA auto_vacuum", in: folder.database) == 2)
      let old = "SELECT count(*) FROM sqlite_schema WHERE name IN ('answer', 'old_log')"
      #expect(try integer(old, in: folder.database) == 0)
      let marks = "SELECT count(*) FROM mark WHERE name = 'settled'"
      #expect(try integer(marks, in: folder.database) == 0)
    }
  }

  @Test func `keeps its keys, with their digests`() async throws {
    try await withFolder { folder in
      let store = try SQLiteSessionStore(folder: folder.path)
      defer { store.close() }
      let id = try #require(counter)
      let session = try await load(id, from: store)
      let keys = Dictionary(session.keys.map { ($0.key, $0) }) { $1 }
      #expect(keys.count == 33)
      #expect(keys.values.allSatisfy { $0.isComplete })
      #expect(keys["a1"]?.answer == .full)
      #expect(keys["minimal"]?.answer == .minimal)
      #expect(keys["async"]?.answer == .queued)
      let digest = KeyedDigest(secret: try store.inventory().secret)
      let body: (String) -> [UInt8] = { text in
        digest.digest(of: KeyedDigest.hash(Array("\(id)\(text)".utf8)))
      }
      for key in ["a1", "a30", "minimal"] { #expect(keys[key]?.digest == body(#""increase""#)) }
      #expect(keys["batch"]?.digest == body(#"["increase","decrease"]"#))
      #expect(keys["a1"]?.digest != body(#""decrease""#))
    }
  }

  /// `Folders/format-2.sqlite` was written by version 2: a counter with a key, and a list.
  @Test func `or 2 accepts names and identities after the migration`() async throws {
    try await withFolder("format-2") { folder in
      let store = try SQLiteSessionStore(folder: folder.path)
      defer { store.close() }
      let session = try await load(SessionID("cZvbVRCmNOlzvYwVdZ0G5w"), from: store)
      #expect(session.sequence == 1 && session.keys.map(\.key) == ["k"])
      #expect(session.entries.last?.outcome == .state(state(1)))
      #expect(session.name == nil && session.identity == nil && session.creator == nil)
      #expect(try store.inventory().sessions.map(\.origin.identity) == [nil, nil])
      #expect(await store.commit(.create(.new(1, named: "a", of: "x"))) == nil)
      #expect(await store.commit(.create(.new(2, named: "a", of: "x"))) == .taken(by: .number(1)))
    }
  }

  @Test func `is neither read nor changed by an archive`() async throws {
    try await withFolder { folder in
      let before = FileManager.default.contents(atPath: folder.database)
      let error = #expect(throws: StoreOpenError.self) {
        try SQLiteSessionArchive(folder: folder.path)
      }
      #expect(error == .older(folder.database))
      #expect(FileManager.default.contents(atPath: folder.database) == before)
    }
  }

  private func load(_ id: SessionID?, from store: SQLiteSessionStore) async throws -> StoredSession
  {
    let id = try #require(id)
    let session = try await store.load(id)
    return try #require(session)
  }

  private func state(_ value: Int) -> [UInt8] {
    Array(
      #"{"value":\#(value),"isReset":false,"showAlert":{"value":null,"pulse":0}}"#.utf8
    )
  }
}

/// Version 2, which had neither names nor alarms.
@Suite struct `A folder of format 2` {
  @Test func `gets a table for alarms at a start`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let old = try SQLiteSessionStore(folder: folder.path)
    await old.commit(.create(.new(1)))
    await old.commit(.append(to: 1, 1...2))
    old.close()
    try execute(
      """
      DROP TABLE crash; DROP TRIGGER crash_end; DROP TABLE share; DROP TRIGGER share_end; DROP TABLE alarm; DROP INDEX session_name; ALTER TABLE session DROP COLUMN name; ALTER TABLE session DROP COLUMN creator;
      ALTER TABLE session DROP COLUMN identity; PRAGMA user_version = 2
      """,
      in: folder.database
    )
    let store = try SQLiteSessionStore(folder: folder.path)
    defer { store.close() }
    #expect(try await store.load(.number(1))?.sequence == 2)
    #expect(await store.commit(.alarms(of: 1, 3, set: [.named("tea", 5)])) == nil)
    #expect(try await store.alarms(dueBy: 9).map(\.session) == [.number(1)])
  }
}

/// Version 3, which had no shares.
@Suite struct `A folder of format 3` {
  @Test func `gets a table for shares at a start`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let old = try SQLiteSessionStore(folder: folder.path)
    await old.commit(.create(.new(1)))
    await old.commit(.append(to: 1, 1...2))
    old.close()
    let shape = """
      DROP TABLE crash; DROP TRIGGER crash_end; DROP TABLE share; DROP TRIGGER share_end;
      ALTER TABLE session DROP COLUMN creator; PRAGMA user_version = 3
      """
    try execute(shape, in: folder.database)
    for isNew in [true, false] {
      let store = try SQLiteSessionStore(folder: folder.path)
      defer { store.close() }
      #expect(try await store.load(.number(1))?.sequence == 2)
      if isNew { #expect(await store.commit(.share(.number(7, of: 1))) == nil) }
      #expect(try await store.shares(.session(.number(1))) == [.number(7, of: 1)])
    }
  }
}

/// Version 4, which kept no crashes.
@Suite struct `A folder of format 4` {
  @Test func `gets a table for crashes at a start`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let old = try SQLiteSessionStore(folder: folder.path)
    await old.commit(.create(.new(1)))
    old.close()
    try execute(
      "DROP TABLE crash; DROP TRIGGER crash_end; ALTER TABLE session DROP COLUMN creator; PRAGMA user_version = 4",
      in: folder.database
    )
    for second in Int64(1)...2 {
      let store = try SQLiteSessionStore(folder: folder.path)
      defer { store.close() }
      await store.commit(.crash(of: 1, at: second))
      #expect(try await store.crashed().count == (second == 2 ? 1 : 0))
    }
  }
}

/// Version 5, which did not keep who had created a session.
@Suite struct `A folder of format 5` {
  @Test func `keeps the creators of sessions from the next start on`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let old = try SQLiteSessionStore(folder: folder.path)
    await old.commit(.create(.new(1)))
    old.close()
    try execute(
      "ALTER TABLE session DROP COLUMN creator; PRAGMA user_version = 5",
      in: folder.database
    )
    for isNew in [true, false] {
      let store = try SQLiteSessionStore(folder: folder.path)
      defer { store.close() }
      #expect(try await store.load(.number(1)) == .new(1))
      var house = StoredSession.new(2)
      house.creator = "ada"
      if isNew { #expect(await store.commit(.create(house)) == nil) }
      #expect(try await store.load(.number(2)) == house)
    }
  }
}

/// The previous build, which wrote the names of all running effects with each entry.
@Suite struct `A folder whose entries list all names` {
  @Test func `is read unchanged, and continued with changes of names`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let old = try SQLiteSessionStore(folder: folder.path)
    await old.commit(.create(.new(1)))
    await old.commit(.append(to: 1, 1...3))
    old.close()
    let names = (10..<90).map { "r\($0)" }
    let text = names.map { "3:\($0)" }.joined()
    try execute(
      "UPDATE log SET kind = sequence - 1, running = CAST('\(text)' AS BLOB)",
      in: folder.database
    )
    let store = try SQLiteSessionStore(folder: folder.path)
    defer { store.close() }
    let entries = try #require(try await store.load(.number(1))).entries
    #expect(entries.map(\.kind) == [0, 1, 2])
    #expect(entries.allSatisfy { $0.running == .all(names) })
    var entry = LogEntry.number(4)
    entry.outcome = .unchanged
    entry.running = .changed(0..<1, to: [])
    #expect(await store.commit(.append(.init(.number(1), after: 3, [entry]))) == nil)
    #expect(try await store.load(.number(1))?.running == Array(names[1...]))
  }
}
