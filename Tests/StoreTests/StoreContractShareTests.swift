import FusionPostgreSQLServer
import FusionSQLiteSessions
import FusionSessions
import Testing

/// The contract of ``SessionStore`` for shares.
@Suite struct `The shares in a session store` {
  @Test(arguments: StoreKind.allCases)
  func `are found by their ids and by their session`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      let shares: [StoredShare] = [
        .number(2, of: 1, as: .driver, at: 1, until: 9), .number(1, of: 1, at: 2),
        .number(3, of: 2, until: 253_402_300_799 - 1_800_000_000),
      ]
      for number in UInt64(1)...3 { await store.commit(.create(.new(number))) }
      for share in shares { #expect(await store.commit(.share(share)) == nil) }
      #expect(try await store.shares(.session(.number(1))) == [shares[0], shares[1]])
      #expect(try await store.shares(.session(.number(2))) == [shares[2]])
      #expect(try await store.shares(.session(.number(3))) == [])
      for share in shares { #expect(try await store.shares(.ids([share.id])) == [share]) }
      let found = try await store.shares(.ids([.number(3), .number(9), .number(2)]))
      #expect(Set(found.map(\.id)) == [.number(2), .number(3)])
      #expect(try await store.shares(.ids([])) == [])
      // The same bits are different ids for a session and a share.
      #expect(try await store.shares(.ids([ShareID(SessionID.number(1))])) == [])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `end when they are revoked, which may be repeated`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      await store.commit(.create(.new(1)))
      for number in UInt64(1)...2 { await store.commit(.share(.number(number, of: 1))) }
      for _ in 1...2 {
        #expect(await store.commit(.revoke(.number(1), of: .number(1))) == nil)
        #expect(try await store.shares(.session(.number(1))) == [.number(2, of: 1)])
        #expect(try await store.shares(.ids([.number(1)])) == [])
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `end with their session, and are refused for an ended session`(kind: StoreKind) async throws
  {
    try await kind.run { store async throws in
      for number in UInt64(1)...2 {
        await store.commit(.create(.new(number)))
        await store.commit(.share(.number(number, of: number)))
      }
      #expect(await store.commit(.end([.number(1)], .deleted, at: .seconds(5))) == nil)
      #expect(try await store.shares(.ids([.number(1), .number(2)])) == [.number(2, of: 2)])
      #expect(await store.commit(.share(.number(3, of: 1))) == .conflict)
      #expect(await store.commit(.share(.number(3, of: 9))) == .conflict)
      #expect(await store.commit(.create(.new(1))) == nil)
      #expect(try await store.shares(.session(.number(1))) == [])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `are limited in number, not counting expired ones`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      await store.commit(.create(.new(1)))
      await store.commit(.create(.new(2)))
      for number in 1...UInt64(StoredShare.limit) {
        let share = StoredShare.number(number, of: 1, until: number == 1 ? 10 : nil)
        #expect(await store.commit(.share(share)) == nil)
      }
      #expect(await store.commit(.share(.number(1000, of: 1, at: 9))) == .conflict)
      #expect(await store.commit(.share(.number(1000, of: 2, at: 9))) == nil)
      #expect(await store.commit(.share(.number(1001, of: 1, at: 10))) == nil)
      #expect(try await store.shares(.ids([.number(1)])) == [])
      #expect(try await store.shares(.session(.number(1))).count == StoredShare.limit)
      #expect(await store.commit(.share(.number(1002, of: 1, at: 10))) == .conflict)
    }
  }
}

@Suite struct `A stored share with an unknown role of a later build` {
  private func fill(_ store: some SessionStore) async throws {
    await store.commit(.create(.new(1)))
    await store.commit(.share(.number(1, of: 1, as: .driver)))
    await store.commit(.share(.number(2, of: 1)))
  }

  private func expectOthers(_ store: some SessionStore) async throws {
    for query in [ShareQuery.session(.number(1)), .ids([.number(1), .number(2)])] {
      #expect(try await store.shares(query) == [.number(2, of: 1)])
    }
  }

  @Test func `is skipped by SQLite`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let store = try SQLiteSessionStore(folder: folder.path)
    defer { store.close() }
    try await fill(store)
    try execute("UPDATE share SET role = 7 WHERE role = 1", in: folder.database)
    try await expectOthers(store)
  }

  @Test(.enabled(if: PostgreSQLServer.isInstalled))
  func `is skipped by PostgreSQL`() async throws {
    try await withNodes("a") { (stores, database) async throws in
      try await fill(stores[0])
      try PostgreSQLServer.shared.get().run(
        "UPDATE share SET role = 7 WHERE role = 1",
        in: database
      )
      try await expectOthers(stores[0])
    }
  }
}

@Suite struct `A share's id` {
  @Test func `is never a session's id`() {
    for number in UInt64(0)...200 {
      let (share, session) = (ShareID.number(number), ShareID.number(number).bits)
      let text = share.description
      #expect(text.count == 22 && ShareID(text) == share && SessionID(text) == nil)
      #expect(
        ShareID(session.description) == nil && text.dropLast() == session.description.dropLast()
      )
      #expect(text.hasPrefix(share.redacted.dropLast()) && share.redacted.count == 7)
    }
    for text in ["", "AAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAC", "AAAAAAAAAAAAAAAAAAAAA"] {
      #expect(ShareID(text) == nil)
    }
    #expect(ShareID("AAAAAAAAAAAAAAAAAAAAAB") != nil)
  }

}

extension ShareID {
  /// Returns the id of a test's n-th share.
  static func number(_ number: UInt64) -> ShareID {
    ShareID(SessionID(high: number << 32 | number, low: ~number))
  }
}

extension StoredShare {
  static func number(
    _ number: UInt64,
    of session: UInt64,
    as role: ShareRole = .observer,
    at created: Int64 = 0,
    until expires: Int64? = nil
  ) -> StoredShare {
    StoredShare(
      .number(number),
      of: .number(session),
      as: role,
      created: .seconds(created),
      expires: expires.map { .seconds($0) }
    )
  }
}

extension SessionStore {
  func shares(_ query: ShareQuery) async throws -> [StoredShare] {
    try await withCheckedContinuation { continuation in
      shares(query) { continuation.resume(returning: $0) }
    }.get()
  }
}
