import FusionSessions
import Synchronization
import Testing

@testable import FusionCluster

struct `The search for a session's owner` {
  @Test func `waits longer after each attempt, with jitter per session`() {
    let ids = (0..<100 as Range<UInt64>).map { SessionID(high: 1, low: $0) }
    for id in ids {
      let pauses = (1...20).map { Backoff.pause(after: $0, of: id, longest: .seconds(1)) }
      #expect(pauses[0] == .zero)
      #expect(pauses[5...].allSatisfy { .milliseconds(500)...(.seconds(1)) ~= $0 })
      // A dead node's lease lasts this long.
      #expect(pauses[..<12].reduce(.zero, +) > .seconds(4))
    }
    let third = ids.map { Backoff.pause(after: 3, of: $0) }
    #expect(Set(third).count == ids.count)
    #expect(third.allSatisfy { .milliseconds(50)...(.milliseconds(100)) ~= $0 })
  }

  @Test func `runs a limited number of searches at a time, in order`() {
    let places = SearchQuota(2)
    let inside = Mutex<[(number: Int, leave: @Sendable () -> Void)]>([])
    for number in 0..<4 {
      places.enter { leave in inside.withLock { $0.append((number, leave)) } }
    }
    #expect(inside.withLock { $0.map(\.number) } == [0, 1])
    inside.withLock { $0[1].leave }()
    #expect(inside.withLock { $0.map(\.number) } == [0, 1, 2])
    inside.withLock { $0[0].leave }()
    #expect(inside.withLock { $0.map(\.number) } == [0, 1, 2, 3])
  }

  @Test func `uses constant stack, however many searches end at once`() {
    let places = SearchQuota(1)
    let first = Mutex<(@Sendable () -> Void)?>(nil)
    let ended = Mutex(0)
    places.enter { leave in first.withLock { $0 = leave } }
    for _ in 0..<200_000 {
      places.enter { leave in
        ended.withLock { $0 += 1 }
        leave()
      }
    }
    first.withLock(\.self)?()
    #expect(ended.withLock(\.self) == 200_000)
  }
}
