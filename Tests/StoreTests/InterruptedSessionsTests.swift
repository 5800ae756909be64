import FusionSQLiteSessions
import FusionSessions
import Testing

/// A store's list of the sessions that had running work when they were last stored.
struct `Interrupted sessions` {
  /// Returns the numbers of all interrupted sessions, read step by step.
  private func found(in store: any SessionStore) async throws -> Set<UInt64> {
    // The sessions of this node lose their owner.
    if let store = store as? any SharedSessionStore { try await store.join() }
    var ids: [SessionID] = []
    var next: Int64? = 0
    while let number = next {
      let found = try await withCheckedContinuation { continuation in
        store.interrupted(after: number) { continuation.resume(returning: $0) }
      }.get()
      #expect(found.sessions.allSatisfy { $0.viewModel == "counter" })
      ids += found.sessions.map(\.id)
      next = found.next
    }
    #expect(Set(ids).count == ids.count)
    return Set((1...200).filter { ids.contains(.number($0)) })
  }

  private func append(
    _ number: UInt64,
    _ sequence: Int,
    running: [String],
    head: StoredHead? = nil
  ) -> StoreChange {
    var entry = LogEntry.number(sequence)
    entry.running = .all(running)
    return .append(.init(.number(number), after: sequence - 1, [entry], head: head))
  }

  @Test(arguments: StoreKind.allCases)
  func `are those with running work in their newest entry`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      for number in 1...6 {
        var session = StoredSession.new(UInt64(number))
        // A session without entries has only its head.
        if number <= 2 { session.head.running = ["load"] }
        await store.commit(.create(session))
      }
      await store.commit(append(2, 1, running: []))
      await store.commit(append(3, 1, running: []))
      await store.commit(append(3, 2, running: ["tick"]))
      await store.commit(append(4, 1, running: ["tick"], head: .after(1, running: ["tick"])))
      await store.commit(append(5, 1, running: ["tick"]))
      await store.commit(append(5, 2, running: [], head: .after(2)))
      #expect(try await found(in: store) == [1, 3, 4])
      if let store = store as? any SharedSessionStore { _ = try await store.acquire(3) }
      await store.commit(.end([.number(3)], .deleted, at: .seconds(1)))
      #expect(try await found(in: store) == [1, 4])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `are found among many`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      for number in UInt64(1)...200 {
        var session = StoredSession.new(number)
        if number.isMultiple(of: 7) { session.head.running = ["load"] }
        await store.commit(.create(session))
      }
      #expect(try await found(in: store) == Set((1...200).filter { $0.isMultiple(of: 7) }))
    }
  }

  @Test func `are listed by the next process`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let store = try SQLiteSessionStore(folder: folder.path)
    for number in UInt64(1)...3 { await store.commit(.create(.new(number))) }
    await store.commit(append(2, 1, running: ["tick"]))
    await store.commit(append(3, 1, running: ["tick"], head: .after(1, running: ["tick"])))
    store.close()
    let next = try SQLiteSessionStore(folder: folder.path)
    defer { next.close() }
    #expect(try await found(in: next) == [2, 3])
  }
}
