import Testing

@testable import Sessions

struct `A feed` {
  @Test func `shows nothing newer once its session has ended`() {
    let feed = Feed()
    feed.publish(Snapshot(version: 1, state: []))
    feed.end(.deleted)
    feed.end(.expired)
    feed.publish(Snapshot(version: 2, state: []))
    #expect(feed.current.snapshot?.version == 1)
    #expect(feed.current.end == .deleted)
  }

  @Test func `knows in which version a Pulse changed`() {
    let feed = Feed()
    let changes = [0, 7, 7, 8, 9, 9, 7].enumerated().map { index, pulses in
      let last = feed.current.snapshot
      feed.publish(
        Snapshot(version: index + 1, state: [], pulses: UInt64(pulses), after: last)
      )
      return feed.current.snapshot?.hasNewPulse
    }
    #expect(changes == [false, true, false, true, true, false, true])
  }

  @Test func `wakes its followers at every change, until they leave`() {
    let feed = Feed()
    let wakes = Tally()
    let following = feed.follow { wakes.add("wake") }
    feed.publish(Snapshot(version: 1, state: []))
    feed.settle(false)
    feed.end(.deleted)
    feed.unfollow(following)
    feed.publish(Snapshot(version: 2, state: []))
    #expect(wakes.all == ["wake", "wake"])
    #expect(feed.followers == 0)
  }
}
