import FusionSessions
import Testing
import UIFusionKit

/// Alarms, in every store.
@Suite struct `Every store keeps alarms and` {
  @Test(arguments: StoreKind.allCases)
  func `returns them in order of time, then of the bytes of their names`(
    kind: StoreKind
  ) async throws {
    try await kind.run { store async throws in
      await store.commit(.create(.new(1)))
      // Collation would give another order, and normalization would merge two names.
      let names = ["b", "B", "ä", "a\u{308}", "z", "", "\u{0}"]
      let alarms = names.map { StoredAlarm.named($0, 5) } + [.named("early", 1), .named("late", 9)]
      #expect(await store.commit(.alarms(of: 1, 1, set: alarms)) == nil)
      let stored = try await store.load(.number(1))?.alarms
      #expect(stored == alarms.sorted())
      try await releaseAll(store, 1...1)
      let due = try await store.alarms(dueBy: 5)
      #expect(due.map(\.name) == alarms.sorted().dropLast().map(\.name))
      #expect(due.allSatisfy { $0.viewModel == "counter" } == true)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `replaces and removes them together with the turn's entry`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      await store.commit(.create(.new(1)))
      await store.commit(.alarms(of: 1, 1, set: [.named("a", 5), .named("b", 6)]))
      await store.commit(.alarms(of: 1, 2, set: [.named("a", 7)], cancel: ["b", "never"]))
      #expect(try await store.load(.number(1))?.alarms == [.named("a", 7)])
      // A refused append changes no alarm.
      #expect(await store.commit(.alarms(of: 1, 9, cancel: ["a"])) == .conflict)
      #expect(try await store.load(.number(1))?.alarms == [.named("a", 7)])
      #expect(try await store.load(.number(1))?.sequence == 2)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `keeps messages as alarms that are always due, in order of their numbers`(
    kind: StoreKind
  ) async throws {
    try await kind.run { store async throws in
      await store.commit(.create(.new(1)))
      let messages = ([1, 255, 256, 1 << 40] as [Int64]).map { number in
        let message = Message(number, to: .id("ä"), Array("{}".utf8), ifRefused: [0, 255])
        return StoredAlarm(message.name.bytes, at: WallTime(milliseconds: 0), message.alarm.action)
      }
      #expect(await store.commit(.alarms(of: 1, 1, set: messages.reversed())) == nil)
      #expect(try await store.load(.number(1))?.alarms == messages)
      try await releaseAll(store, 1...1)
      #expect(try await store.alarms(dueBy: 0).map(\.name) == messages.map(\.name))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `keeps them when State is stored in whole`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      await store.commit(.create(.new(1)))
      await store.commit(.alarms(of: 1, 1, set: [.named("a", 5)]))
      await store.commit(.append(to: 1, 2...3, keys: true, head: .after(3)))
      #expect(try await store.load(.number(1))?.alarms == [.named("a", 5)])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `finds due alarms in pages, across sessions`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      for number in 1...3 as ClosedRange<UInt64> {
        await store.commit(.create(.new(number)))
        let alarms = (0..<200).map { StoredAlarm.named("\(number) \($0)", Int64($0)) }
        await store.commit(.alarms(of: number, 1, set: alarms))
      }
      try await releaseAll(store, 1...3)
      let due = try await store.alarms(dueBy: 149)
      #expect(due.count == 450)
      #expect(Set(due.map(\.name)).count == 450)
      #expect(due.map(\.time) == due.map(\.time).sorted())
      #expect(try await store.alarms(dueBy: -1) == [])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `drops an ended session's alarms, even if its id is used again`(
    kind: StoreKind
  ) async throws {
    try await kind.run { store async throws in
      await store.commit(.create(.new(1)))
      await store.commit(.alarms(of: 1, 1, set: [.named("a", 5)]))
      await store.commit(.end([.number(1)], .deleted, at: .seconds(3)))
      await store.commit(.create(.new(1)))
      #expect(try await store.load(.number(1))?.alarms == [])
      try await releaseAll(store, 1...1)
      #expect(try await store.alarms(dueBy: 9) == [])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `stores them with an imported session`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      var session = StoredSession.new(1)
      session.alarms = [.named("a", 5), .named("b", 6)]
      await store.commit(.create(session))
      #expect(try await store.load(.number(1)) == session)
    }
  }

  private func releaseAll(
    _ store: any SessionStore,
    _ numbers: ClosedRange<UInt64>
  ) async throws {
    guard let store = store as? any SharedSessionStore else { return }
    await store.release(Dictionary(uniqueKeysWithValues: numbers.map { (.number($0), .zero) }))
  }
}
