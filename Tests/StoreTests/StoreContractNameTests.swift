import FusionSessions
import Testing

/// The contract of ``SessionStore`` for names and identities.
@Suite struct `The names in a session store` {
  @Test(arguments: StoreKind.allCases)
  func `are loaded with their sessions`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      let named = StoredSession.new(1, named: "team 42 – é\u{301}\u{202E}", of: "mailto:a@b")
      #expect(await store.commit(.create(named)) == nil)
      await store.commit(.create(.new(2, of: "b")))
      #expect(try await store.load(.number(1)) == named)
      #expect(try await store.load(.number(2))?.identity == "b")
      #expect(try await store.find(named) == .number(1))
      if !kind.isShared {
        let items = try store.inventory().sessions
        #expect(Set(items.map(\.origin.identity)) == ["mailto:a@b", "b"])
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `come with who created a session of nobody's`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      var house = StoredSession.new(1, named: "house")
      house.creator = "mailto:a@b é"
      #expect(await store.commit(.create(house)) == nil)
      await store.commit(.create(.new(2)))
      #expect(try await store.load(.number(1)) == house)
      #expect(try await store.load(.number(2))?.creator == nil)
      if !kind.isShared {
        let items = try store.inventory().sessions
        #expect(Set(items.map(\.origin.creator)) == ["mailto:a@b é", nil])
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `are unique, and a second creation learns the first session`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      await store.commit(.create(.new(1, named: "a")))
      #expect(await store.commit(.create(.new(2, named: "a"))) == .taken(by: .number(1)))
      #expect(try await store.load(.number(2)) == nil)
      // The id of an existing session is a conflict of ids, whatever its name.
      #expect(await store.commit(.create(.new(1))) == .conflict)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `are independent for each view model and identity`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      var other = StoredSession.new(2, named: "a")
      other.viewModel = "todos"
      let sessions: [StoredSession] = [
        .new(1, named: "a"), other, .new(3, named: "a", of: "x"), .new(4, named: "a", of: "y"),
        .new(5), .new(6), .new(7, of: "x"), .new(8, of: "x"),
      ]
      for session in sessions { #expect(await store.commit(.create(session)) == nil) }
      for session in sessions where session.name != nil {
        #expect(try await store.find(session) == session.id)
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `compare by their bytes`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      let names = ["é", "e\u{301}", "E", "e", "e ", " e", "ß", "ss", "%", "'\"\\", "\u{1F600}"]
      for (place, name) in names.enumerated() {
        let session = StoredSession.new(UInt64(place + 1), named: name)
        #expect(await store.commit(.create(session)) == nil, "\(name)")
      }
      for (place, name) in names.enumerated() {
        #expect(try await store.find(.new(0, named: name)) == .number(UInt64(place + 1)))
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `are free again after the session's end`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      await store.commit(.create(.new(1, named: "a")))
      #expect(await store.commit(.end([.number(1)], .deleted, at: .seconds(1))) == nil)
      #expect(try await store.find(.new(0, named: "a")) == nil)
      #expect(await store.commit(.create(.new(2, named: "a"))) == nil)
      #expect(try await store.find(.new(0, named: "a")) == .number(2))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `go to one of several simultaneous creations, without harm to unnamed ones`(
    kind: StoreKind
  ) async throws {
    try await kind.run { store async throws in
      let results = await withTaskGroup { group in
        for number in UInt64(1)...40 {
          group.addTask {
            let name = number.isMultiple(of: 2) ? "a" : nil
            return (number, await store.commit(.create(.new(number, named: name))))
          }
        }
        return await group.reduce(into: [UInt64: StoreError?]()) { $0[$1.0] = .some($1.1) }
      }
      let winner = try #require(try await store.find(.new(0, named: "a")))
      for (number, error) in results {
        let isWanted = number.isMultiple(of: 2) && SessionID.number(number) != winner
        #expect(error == (isWanted ? .taken(by: winner) : nil))
      }
    }
  }
}

extension StoredSession {
  static func new(_ number: UInt64, named name: String? = nil, of identity: String? = nil) -> Self {
    var session = new(number)
    (session.name, session.identity) = (name, identity)
    return session
  }
}

extension SessionStore {
  /// Finds the session with the name of the given session.
  func find(_ session: StoredSession) async throws -> SessionID? {
    guard let name = session.sessionName else { return nil }
    return try await withCheckedContinuation { continuation in
      find(name) { continuation.resume(returning: $0) }
    }.get()
  }
}
