import FusionPostgreSQLServer
import FusionPostgreSQLSessions
import FusionSQLiteSessions
import FusionSessions
import Testing

/// The stored history, read by archives beside the process that serves it.
@Suite struct `A session's past` {
  static let kinds = StoreKind.allCases.filter { $0 != .memory }

  /// Patches that add their operations to the text of the State.
  private let patches = HostedViewModel.Patches(apply: { patch, old in old + patch })

  private func patch(_ sequence: Int) -> LogEntry {
    var entry = LogEntry.number(sequence)
    entry.outcome = .patch(Array("[\(sequence)]".utf8))
    return entry
  }

  /// Stores six entries: 1 and 2 have States, 3 and 4 patches, 5 changes nothing, and no head covers the
  /// patch of 6.
  private func fill(_ store: any SessionStore) async {
    await store.commit(.create(.new(1)))
    await store.commit(.append(to: 1, 1...2))
    var same = LogEntry.number(5)
    (same.version, same.outcome, same.running) = (5, .unchanged, ["load"])
    same.trace = Array(#"{"action":"loaded"}"#.utf8)
    var head = StoredHead.after(5)
    (head.version, head.state) = (5, Array(#"{"count":2}[3,4]"#.utf8))
    await store.commit(
      .append(.init(.number(1), after: 2, [patch(3), patch(4), same], head: head))
    )
    var last = patch(6)
    last.version = 6
    await store.commit(.append(.init(.number(1), after: 5, [last])))
  }

  private func state(
    _ archive: any SessionArchive,
    _ point: HistoryPoint,
    of id: UInt64 = 1
  ) throws -> String? {
    guard case .found(let past) = try archive.past(.number(id), at: point, patches) else {
      return nil
    }
    return String(decoding: past.head.state, as: UTF8.self)
  }

  @Test(arguments: kinds)
  func `has each version, computed from the nearest whole State before it`(kind: StoreKind)
    async throws
  {
    try await kind.run { (store, archive) async throws in
      await fill(store)
      let states = try (2...6).map { try state(archive(), .version($0)) }
      #expect(
        states == [
          #"{"count":1}"#, #"{"count":2}"#, #"{"count":2}[3]"#, #"{"count":2}[3,4]"#,
          #"{"count":2}[3,4][6]"#,
        ]
      )
      #expect(try state(archive(), .newest) == states.last)
      #expect(try archive().past(.number(1), at: .version(7), patches) == .notKept)
      let long = try archive().past(.number(1), at: .version(4), patches, byteLimit: 2)
      #expect(long == .notKept)
      #expect(try archive().past(.number(2), at: .newest, patches) == .unknown)
    }
  }

  @Test(arguments: kinds)
  func `has each version in a long log that is interleaved with other sessions`(
    kind: StoreKind
  ) async throws {
    try await kind.run(historyAge: .seconds(10_000)) { (store, archive) async throws in
      for number in [1, 2] as [UInt64] { await store.commit(.create(.new(number))) }
      let parts: [(UInt64, ClosedRange<Int>)] = [
        (1, 1...700), (2, 1...900), (1, 701...702), (2, 901...1_100), (1, 703...1_500),
      ]
      for (number, part) in parts {
        await store.commit(.append(to: number, part, head: .after(part.upperBound)))
      }
      for version in [1, 2, 300, 701, 702, 703, 704, 1_200, 1_501] {
        #expect(try state(archive(), .version(version)) == "{\"count\":\(version - 1)}")
      }
      for version in [1, 2, 450, 901, 902, 1_101] {
        #expect(try state(archive(), .version(version), of: 2) == "{\"count\":\(version - 1)}")
      }
    }
  }

  @Test(arguments: kinds)
  func `has each version of a session with few entries among many of others`(
    kind: StoreKind
  ) async throws {
    try await kind.run(historyAge: .seconds(10_000)) { (store, archive) async throws in
      for number in 1...3 as ClosedRange<UInt64> { await store.commit(.create(.new(number))) }
      for round in 1...6 {
        for number in [1, 2] as [UInt64] {
          let part = (250 * round - 249)...(250 * round)
          await store.commit(.append(to: number, part, head: .after(part.upperBound)))
        }
        guard round < 6 else { continue }
        await store.commit(.append(to: 3, round...round, head: .after(round)))
      }
      for version in 1...6 {
        #expect(try state(archive(), .version(version), of: 3) == "{\"count\":\(version - 1)}")
      }
      for version in [1, 250, 251, 800, 1_501] {
        #expect(try state(archive(), .version(version)) == "{\"count\":\(version - 1)}")
      }
    }
  }

  @Test(arguments: kinds)
  func `has each moment, with the work that was running`(kind: StoreKind) async throws {
    try await kind.run { (store, archive) async throws in
      await fill(store)
      #expect(try state(archive(), .time(.seconds(3))) == #"{"count":2}[3]"#)
      guard case .found(let past) = try archive().past(.number(1), at: .time(.seconds(5)), patches)
      else { return #expect(Bool(false), "no past was found") }
      #expect(past.head.sequence == 5 && past.head.version == 5 && past.head.running == ["load"])
      #expect(past.time == .seconds(5))
      // Recovery to that moment restarts no work.
      #expect(past.recovery(at: .seconds(9))?.head?.running == [])
      // The State of the creation was dropped, so the State before is unknown.
      #expect(try archive().past(.number(1), at: .time(.seconds(0)), patches) == .notKept)
    }
  }

  @Test(arguments: kinds)
  func `begins with the first State if versions are kept by age`(kind: StoreKind) async throws {
    try await kind.run(historyAge: .seconds(60)) { (store, archive) async throws in
      await fill(store)
      #expect(try state(archive(), .version(1)) == #"{"count":0}"#)
      #expect(try state(archive(), .time(.seconds(0))) == #"{"count":0}"#)
      #expect(try archive().past(.number(1), at: .time(.seconds(-1)), patches) == .notKept)
      #expect(try archive().summaries().map(\.oldest) == [.seconds(0)])
      #expect(try await store.load(.number(1))?.entries.map(\.sequence) == [6])
    }
  }

  @Test(arguments: kinds)
  func `has each version in its own State format`(kind: StoreKind) async throws {
    try await kind.run { (store, archive) async throws in
      await store.commit(.create(.new(1)))
      await store.commit(.append(to: 1, 1...2))
      var migrated = LogEntry.number(3)
      migrated.trace = FormatChange.note(from: 1, to: 4) + migrated.trace
      var head = StoredHead.after(3)
      head.format = 4
      await store.commit(.append(.init(.number(1), after: 2, [migrated], head: head)))
      let formats = try [2, 3, 4].map { version -> Int? in
        let past = try archive().past(.number(1), at: .version(version), patches)
        return if case .found(let past) = past { past.head.format } else { nil }
      }
      #expect(formats == [1, 1, 4])
    }
  }

  @Test(arguments: kinds)
  func `is listed in pages, with the cause of each version`(kind: StoreKind) async throws {
    try await kind.run { (store, archive) async throws in
      await fill(store)
      let page = try #require(try archive().versions(of: .number(1), below: nil, limit: 3))
      #expect(page.versions.map(\.number) == [6, 5, 4] && page.next == 4)
      #expect(page.versions.map(\.entries) == [1, 2, 1] && page.viewModel == "counter")
      // The entry that made the version, and one that left State unchanged.
      #expect(page.versions[1].time == .seconds(4) && page.versions[1].size == 3)
      let trace = String(decoding: page.versions[1].trace, as: UTF8.self)
      #expect(trace == #"{"input":"increase"}{"action":"loaded"}"#)
      let rest = try #require(try archive().versions(of: .number(1), below: 4, limit: 3))
      #expect(rest.versions.map(\.number) == [3, 2] && rest.next == nil)
      #expect(try archive().versions(of: .number(2), below: nil, limit: 3) == nil)
      await store.commit(.create(.new(3)))
      let new = try archive().versions(of: .number(3), below: nil, limit: 3)
      #expect(new?.versions.map(\.number) == [1])
    }
  }

  @Test(arguments: kinds)
  func `is dropped by age, however many entries there are`(kind: StoreKind) async throws {
    try await kind.run(historyAge: .seconds(300)) { (store, archive) async throws in
      await store.commit(.create(.new(1)))
      for last in stride(from: 100, through: 1_000, by: 100) {
        await store.commit(.append(to: 1, last - 99...last, head: .after(last)))
        (store as? SQLiteSessionStore)?.tidy()
        (store as? PostgreSQLSessionStore)?.tidy()
        let log = try #require(try archive().history(of: .number(1))?.log)
        // A database drops whole ranges of entries.
        #expect(log.count >= min(last, 300) && log.count <= 701, "\(log.count) after \(last)")
      }
      #expect(try archive().history(of: .number(1))?.log.first?.sequence != 0)
    }
  }

  @Test func `is dropped by age even if the session sleeps in between`() async throws {
    try await StoreKind.postgresql.run(historyAge: .seconds(300)) { (store, archive) async throws in
      let shared = try #require(store as? PostgreSQLSessionStore)
      await store.commit(.create(.new(1)))
      for last in stride(from: 100, through: 500, by: 100) {
        await store.commit(.append(to: 1, last - 99...last, head: .after(last)))
        shared.tidy()
        await shared.release([.number(1): .zero])
        _ = try await shared.acquire(1)
      }
      #expect(try archive().history(of: .number(1))?.log.count == 300)
    }
  }

  @Test func `is not dropped early because one entry has a future time`() async throws {
    try await StoreKind.sqlite.run(historyAge: .seconds(300)) { (store, archive) async throws in
      await store.commit(.create(.new(1, at: .seconds(1_900))))
      for last in [100, 200] {
        let entries = (last - 99...last).map { sequence in
          var entry = LogEntry.number(sequence)
          entry.time = .seconds(sequence == 50 ? 1_000_000 : 1_900)
          return entry
        }
        let head = StoredHead.after(last)
        await store.commit(.append(.init(.number(1), after: last - 100, entries, head: head)))
        (store as? SQLiteSessionStore)?.tidy()
      }
      #expect(try archive().history(of: .number(1))?.log.count == 201)
    }
  }
}

extension StoreKind {
  /// Calls a test with an empty store and a function that opens its archive.
  func run(
    historyAge: Duration? = nil,
    _ test: (any SessionStore, () throws -> any SessionArchive) async throws -> Void
  ) async throws {
    if self == .sqlite {
      let folder = try Folder()
      defer { folder.remove() }
      var options = SQLiteSessionStore.Options()
      (options.historyAge, options.historyLimit) = (historyAge, 100)
      options.now = { .seconds(2_000) }
      let store = try SQLiteSessionStore(folder: folder.path, options)
      defer { store.close() }
      try await test(store) { try SQLiteSessionArchive(folder: folder.path) }
    } else {
      let database = try PostgreSQLServer.shared.get().emptySchema()
      var options = PostgreSQLSessionStore.Options.lasting
      options.historyAge = historyAge
      options.name = "a"
      let store = try PostgreSQLSessionStore(database, options)
      defer { store.close() }
      try await store.join()
      try await test(store) { try PostgreSQLSessionArchive(database, onlyToRead: true) }
    }
  }
}
