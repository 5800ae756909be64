import FusionSessions
import FusionStoreDoubles
import Testing

/// The double of a shared store, on which nodes are simulated.
struct `A store in shared memory` {
  @Test func `keeps an acquisition that is newer than a late refused change`() async throws {
    let store = SharedMemoryStore(SharedMemory { .zero }, name: "a")
    store.join { _ in }
    #expect(await store.commit(.create(.new(1))) == nil)
    let fence = store.fence(of: [.number(1)])
    store.acquire(.number(1)) { _ in }
    let late = StoreChange.alarms(of: 1, 1)
    let answer = await withCheckedContinuation { continuation in
      store.commit(late, under: fence) { continuation.resume(returning: $0) }
    }
    #expect(answer == .fenced)
    #expect(await store.commit(late) == nil)
  }
}
