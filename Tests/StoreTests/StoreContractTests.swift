import FusionSessions
import Synchronization
import Testing

/// The contract of stores, sentence by sentence of ``SessionStore``.
@Suite struct `A session store` {
  @Test(arguments: StoreKind.allCases)
  func `is empty at first`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      #expect(try store.inventory().sessions == [])
      #expect(try store.inventory().ended == [])
      #expect(try await store.load(.number(1)) == nil)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `returns a session as it was created`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      var session = StoredSession.new(1).with([.number(1), .number(2, key: "a")])
      session.head.running = ["load", "", "a:b\nc", "ü"]
      session.keys.insert(.to("older", 0), at: 0)
      #expect(await store.commit(.create(session)) == nil)
      #expect(try await store.load(session.id) == session)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `refuses to create an existing session, and leaves it unchanged`(kind: StoreKind)
    async throws
  {
    try await kind.run { store async throws in
      await store.commit(.create(.new(1)))
      await store.commit(.append(to: 1, 1...1))
      #expect(await store.commit(.create(.new(1))) == .conflict)
      #expect(try await store.load(.number(1)) == .new(1).with([.number(1)]))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `returns entries in order`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      await store.commit(.create(.new(1)))
      #expect(await store.commit(.append(to: 1, 1...3)) == nil)
      #expect(await store.commit(.append(to: 1, 4...4, keys: true)) == nil)
      let entries = (1...3).map { LogEntry.number($0) } + [.number(4, key: "key 4")]
      #expect(try await store.load(.number(1)) == .new(1).with(entries))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `keeps every form of an entry`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      var entries: [LogEntry] = [.number(1), .number(2), .number(3), .number(4)]
      entries[0].outcome = .unchanged
      entries[0].running = ["load", "tick"]
      entries[1].outcome = .patch(Array("[]".utf8))
      entries[1].trace = []
      entries[2].outcome = .unchanged
      entries[2].running = .changed(0..<1, to: ["a:b", ""])
      entries[3].outcome = .patch(Array("[]".utf8))
      entries[3].running = .changed(1..<1, to: [])
      let answers: [KeyProgress.Answer] = [.full, .minimal, .queued]
      for (place, answer) in answers.enumerated() {
        entries[place].key = KeyProgress(
          key: "\u{0}\(place)é",
          digest: place == 2 ? [] : [UInt8](repeating: 9, count: 32),
          answer: answer,
          processed: place + 1,
          count: 7,
          version: 9,
          time: .seconds(1)
        )
      }
      await store.commit(.create(.new(1)))
      await store.commit(.append(.init(.number(1), after: 0, entries)))
      #expect(try await store.load(.number(1)) == .new(1).with(entries))
      // The entries stay in the log after a head has covered them.
      await store.commit(.append(.init(.number(1), after: 4, [], head: .after(4))))
      let loaded = try await store.load(.number(1))
      #expect(loaded?.keys == entries.compactMap(\.key))
      #expect(loaded?.entries == [])
    }
  }

  @Test(arguments: StoreKind.allCases, [0, 2, 4, 5])
  func `refuses entries that do not follow the newest one`(kind: StoreKind, after: Int) async throws
  {
    try await kind.run { store async throws in
      await store.commit(.create(.new(1)))
      await store.commit(.append(to: 1, 1...3))
      #expect(await store.commit(.append(to: 1, (after + 1)...(after + 1))) == .conflict)
      #expect(try await store.load(.number(1))?.sequence == 3)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `refuses entries that do not follow the newest head`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      await store.commit(.create(.new(1)))
      await store.commit(.append(to: 1, 1...3, head: .after(3)))
      #expect(await store.commit(.append(to: 1, 3...3)) == .conflict)
      #expect(await store.commit(.append(to: 1, 4...4)) == nil)
      #expect(try await store.load(.number(1))?.entries == [.number(4)])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `refuses to append to an unknown session`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      #expect(await store.commit(.append(to: 1, 1...1)) == .conflict)
      #expect(try store.inventory().sessions == [])
      #expect(try store.inventory().ended == [])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `loads a session from its newest head on`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      await store.commit(.create(.new(1)))
      await store.commit(.append(to: 1, 1...2))
      await store.commit(.append(to: 1, 3...4, head: .after(4, running: ["tick"])))
      await store.commit(.append(to: 1, 5...5))
      let session = try #require(try await store.load(.number(1)))
      #expect(session.head == .after(4, running: ["tick"]))
      #expect(session.entries == [.number(5)])
      #expect(session.used == .seconds(5))
      #expect(session.created == .seconds(0))
      #expect(session.parameters == StoredSession.new(1).parameters)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `accepts a head without an entry`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      await store.commit(.create(.new(1)))
      await store.commit(.append(to: 1, 1...2, keys: true))
      #expect(await store.commit(.append(.init(.number(1), after: 2, [], head: .after(2)))) == nil)
      let session = try #require(try await store.load(.number(1)))
      #expect(session.head == .after(2))
      #expect(session.entries == [])
      #expect(session.keys.map(\.key) == ["key 1", "key 2"])
      #expect(session.sequence == 2 && session.used == .seconds(2))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `stores a session's last use`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      for number in 1...3 { await store.commit(.create(.new(UInt64(number)))) }
      await store.commit(.append(to: 2, 1...20))
      let times: [SessionID: WallTime] = [
        .number(1): .seconds(30), .number(2): .seconds(10), .number(9): .seconds(10),
      ]
      #expect(await store.commit(.use(times)) == nil)
      if !kind.isShared {
        let used = try store.inventory().sessions.map { ($0.id, $0.used) }
        #expect(
          Dictionary(uniqueKeysWithValues: used) == [
            .number(1): .seconds(30), .number(2): .seconds(20), .number(3): .seconds(0),
          ]
        )
      }
      #expect(try await store.load(.number(1))?.used == .seconds(30))
      #expect(try await store.load(.number(2))?.used == .seconds(20))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `keeps nothing of an ended session but its end`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      await store.commit(.create(.new(1)))
      await store.commit(.create(.new(2)))
      await store.commit(.append(to: 1, 1...3, keys: true))
      let ids: [SessionID] = [.number(1), .number(9)]
      #expect(await store.commit(.end(ids, .deleted, at: .seconds(5))) == nil)
      #expect(try await store.load(.number(1)) == nil)
      #expect(await store.commit(.append(to: 1, 4...4)) == .conflict)
      if let store = store as? any SharedSessionStore {
        #expect(try await store.acquire(1) == .ended(.deleted))
        #expect(try await store.acquire(9) == .unknown)
        return
      }
      let inventory = try store.inventory()
      #expect(inventory.sessions.map(\.id) == [.number(2)])
      #expect(inventory.ended == [.init(.number(1), .deleted, at: .seconds(5))])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `forgets the sessions that ended before a time`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      for number in 1...3 { await store.commit(.create(.new(UInt64(number)))) }
      await store.commit(.end([.number(1)], .deleted, at: .seconds(5)))
      await store.commit(.end([.number(2)], .expired, at: .seconds(6)))
      #expect(await store.commit(.forget(endedBefore: .seconds(6))) == nil)
      if let store = store as? any SharedSessionStore {
        #expect(try await store.acquire(1) == .unknown)
        #expect(try await store.acquire(2) == .ended(.expired))
        return
      }
      let inventory = try store.inventory()
      #expect(inventory.ended == [.init(.number(2), .expired, at: .seconds(6))])
      #expect(inventory.sessions.map(\.id) == [.number(3)])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `creates an ended session again, without its old contents`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      await store.commit(.create(.new(1)))
      await store.commit(.append(to: 1, 1...3, keys: true))
      await store.commit(.end([.number(1)], .expired, at: .seconds(5)))
      #expect(await store.commit(.create(.new(1))) == nil)
      #expect(try await store.load(.number(1)) == .new(1))
      #expect(try store.inventory().ended == [])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `can be probed without a change`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      await store.commit(.create(.new(1)))
      for _ in 1...3 { #expect(await store.commit(.probe) == nil) }
      #expect(try await store.load(.number(1)) == .new(1))
    }
  }
}
