import FusionSessions
import Synchronization
import Testing

/// The contract of stores for order, closing and keys.
@Suite struct `A session store also` {
  @Test(arguments: StoreKind.allCases)
  func `commits in order, and completes in order`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      let told = Told()
      await withCheckedContinuation { continuation in
        store.commit(.create(.new(1))) { told.add(0, $0) }
        for sequence in 1...500 {
          store.commit(.append(to: 1, sequence...sequence)) { error in
            told.add(sequence, error)
            if sequence == 500 { continuation.resume() }
          }
        }
      }
      #expect(told.numbers == Array(0...500))
      #expect(told.errors == [])
      #expect(try await store.load(.number(1))?.entries.map(\.sequence) == Array(1...500))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `refuses one change without harm to simultaneous ones`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      let told = Told()
      await withCheckedContinuation { continuation in
        let changes: [StoreChange] = [
          .create(.new(1)), .create(.new(2)), .create(.new(1)), .append(to: 1, 1...1),
          .append(to: 1, 1...1), .append(to: 2, 5...6), .append(to: 1, 2...2),
          .append(to: 2, 1...1),
        ]
        for (number, change) in changes.enumerated() {
          store.commit(change) { error in
            if told.add(number, error) == changes.count { continuation.resume() }
          }
        }
      }
      // The order is that of each session.
      #expect(told.numbers.filter { ![1, 5, 7].contains($0) } == [0, 2, 3, 4, 6])
      #expect(told.numbers.filter { [1, 5, 7].contains($0) } == [1, 5, 7])
      #expect(told.refused.sorted() == [2, 4, 5])
      #expect(try await store.load(.number(1)) == .new(1).with([.number(1), .number(2)]))
      #expect(try await store.load(.number(2)) == .new(2).with([.number(1)]))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `reads all changes that were submitted before`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      store.commit(.create(.new(1))) { _ in }
      for sequence in 1...20 { store.commit(.append(to: 1, sequence...sequence)) { _ in } }
      #expect(try await store.load(.number(1))?.sequence == 20)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `commits all submitted changes when it closes, and none later`(
    kind: StoreKind
  ) async throws {
    try await kind.run { store async throws in
      let told = Told()
      store.commit(.create(.new(1))) { told.add(0, $0) }
      for number in 1...50 {
        store.commit(.append(to: 1, number...number)) { told.add(number, $0) }
      }
      store.close()
      #expect(told.numbers == Array(0...50))
      #expect(told.errors == [])
      #expect(await store.commit(.append(to: 1, 51...51)) == .closed)
      #expect(await store.commit(.probe) == .closed)
      store.close()
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `keeps the newest 1,000 keys, oldest first`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      await store.commit(.create(.new(1)))
      for first in stride(from: 1, to: 1_401, by: 100) {
        let head: StoredHead? = first % 300 == 1 ? .after(first + 99) : nil
        await store.commit(.append(to: 1, first...(first + 99), keys: true, head: head))
      }
      let keys = try await store.load(.number(1))?.keys
      #expect(keys?.map(\.key) == (401...1_400).map { "key \($0)" })
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `keeps only the newest entry of each key`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      await store.commit(.create(.new(1)))
      for (sequence, key) in [(1, "a"), (2, "b"), (3, "a")] {
        let entry = LogEntry.number(sequence, key: key)
        let head: StoredHead? = sequence == 2 ? .after(2) : nil
        await store.commit(
          .append(.init(.number(1), after: sequence - 1, [entry], head: head))
        )
      }
      let kept = [(2, "b"), (3, "a")].map { LogEntry.number($0, key: $1).key }
      #expect(try await store.load(.number(1))?.keys == kept)
      await store.commit(.append(.init(.number(1), after: 3, [], head: .after(3))))
      #expect(try await store.load(.number(1))?.keys == kept)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `keeps the number of each sender's last message, however old, besides 1,000 keys`(
    kind: StoreKind
  ) async throws {
    try await kind.run { store async throws in
      await store.commit(.create(.new(1)))
      let sender = KeyProgress.messageMark + "sender.i"
      for sequence in 1...2 {
        let entry = LogEntry.number(sequence, key: sender)
        let head: StoredHead? = sequence == 1 ? .after(1) : nil
        await store.commit(.append(.init(.number(1), after: sequence - 1, [entry], head: head)))
      }
      for first in stride(from: 3, to: 1_203, by: 100) {
        await store.commit(
          .append(to: 1, first...(first + 99), keys: true, head: .after(first + 99))
        )
      }
      await store.commit(.use([.number(1): .seconds(86_400 + 1_200)]))
      await store.commit(.append(to: 1, 1_203...1_203, keys: true, head: .after(1_203)))
      let keys = try #require(try await store.load(.number(1))?.keys)
      #expect(keys.first == LogEntry.number(2, key: sender).key)
      #expect(keys.count { !KeyProgress.isMessage($0.key) } <= 1_000)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `keeps a key for a day`(kind: StoreKind) async throws {
    try await kind.run { store async throws in
      await store.commit(.create(.new(1)))
      await store.commit(.append(to: 1, 1...2, keys: true, head: .after(2)))
      await store.commit(.use([.number(1): .seconds(86_401)]))
      #expect(try await store.load(.number(1))?.keys.map(\.key) == ["key 2"])
    }
  }
}

/// The calls of completions, in order.
private final class Told: Sendable {
  private let calls = Mutex<[(number: Int, error: StoreError?)]>([])

  /// Adds a call; returns the number of calls.
  @discardableResult
  func add(_ number: Int, _ error: StoreError?) -> Int {
    calls.withLock { calls in
      calls.append((number, error))
      return calls.count
    }
  }

  var numbers: [Int] { calls.withLock { $0.map(\.number) } }
  var errors: [StoreError] { calls.withLock { $0.compactMap(\.error) } }
  var refused: [Int] { calls.withLock { $0.filter { $0.error == .conflict }.map(\.number) } }
}
