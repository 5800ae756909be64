import FusionPostgreSQLSessions
import FusionSQLiteSessions
import FusionSessions
import Testing

/// The contract of ``SessionStore`` for crashes of processes at a session's work.
@Suite struct `The crashes in a session store` {
  @Test(arguments: StoreKind.allCases)
  func `are read with their session, and set it aside the second time`(kind: StoreKind) async throws
  {
    try await kind.run { store async throws in
      for number in UInt64(1)...2 { await store.commit(.create(.new(number))) }
      #expect(try await store.load(.number(1))?.crashes == nil)
      // Reported twice.
      for _ in 1...2 { #expect(await store.commit(.crash(of: 1, at: 5)) == nil) }
      let first = CrashRecord(time: .seconds(5), build: "b", isRepeated: false)
      #expect(try await store.load(.number(1))?.crashes == first)
      #expect(try await store.crashed() == [])
      #expect(await store.commit(.crash(of: 1, at: 7)) == nil)
      let second = CrashRecord(time: .seconds(7), build: "b", isRepeated: true)
      #expect(try await store.load(.number(1))?.crashes == second)
      #expect(try await store.load(.number(2))?.crashes == nil)
      let viewModel = StoredSession.new(1).viewModel
      let crashed = try await store.crashed()
      #expect(crashed == [CrashedSession(.number(1), viewModel: viewModel, second)])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `count for no session that is not stored`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      for second in Int64(1)...2 {
        #expect(await store.commit(.crash(of: 9, at: second)) == nil)
      }
      #expect(try await store.crashed() == [])
      #expect(await store.commit(.create(.new(9))) == nil)
      #expect(try await store.load(.number(9))?.crashes == nil)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `end with their session`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      await store.commit(.create(.new(1)))
      for second in Int64(1)...2 { await store.commit(.crash(of: 1, at: second)) }
      #expect(await store.commit(.end([.number(1)], .deleted, at: .seconds(5))) == nil)
      #expect(try await store.crashed() == [])
      await store.commit(.create(.new(1)))
      #expect(try await store.load(.number(1))?.crashes == nil)
    }
  }
}

/// The tool that resumes a session.
@Suite struct `A folder's session that is set aside` {
  @Test func `is resumed beside the process that serves it`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let store = try SQLiteSessionStore(folder: folder.path)
    defer { store.close() }
    await store.commit(.create(.new(1)))
    for second in Int64(1)...2 { await store.commit(.crash(of: 1, at: second)) }
    #expect(try SQLiteSessionArchive.resume(.number(1), in: folder.path))
    #expect(try await store.load(.number(1))?.crashes == nil)
    #expect(try !SQLiteSessionArchive.resume(.number(1), in: folder.path))
    #expect(await store.commit(.append(to: 1, 1...2)) == nil)
  }
}

extension SessionStore {
  func crashed() async throws -> [CrashedSession] {
    try await withCheckedContinuation { continuation in
      crashed { continuation.resume(returning: $0) }
    }.get()
  }
}

extension StoreChange {
  /// Returns a crash of a process at the work of a test's n-th session.
  static func crash(of number: UInt64, at second: Int64) -> StoreChange {
    .crash(SessionCrash(.number(number), at: .seconds(second), of: "b", within: .seconds(60)))
  }
}
