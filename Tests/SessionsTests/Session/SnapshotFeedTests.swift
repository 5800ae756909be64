import Testing

@testable import FusionSessions

struct `A feed` {
  @Test func `publishes nothing after its session has ended`() {
    let feed = SnapshotFeed()
    feed.show(Snapshot(version: 1, state: []))
    feed.end(.deleted)
    feed.end(.expired)
    feed.show(Snapshot(version: 2, state: []))
    #expect(feed.current.snapshot?.version == 1)
    #expect(feed.current.end == .deleted)
  }

  @Test func `never publishes an older version again`() {
    let feed = SnapshotFeed()
    feed.show(Snapshot(version: 2, state: []))
    feed.show(Snapshot(version: 1, state: []), isSettled: false)
    #expect(feed.current.snapshot?.version == 2)
    #expect(!feed.current.isSettled)
  }

  @Test func `knows the version in which a Pulse changed`() {
    let feed = SnapshotFeed()
    let changes = [0, 7, 7, 8, 9, 9, 7].enumerated().map { index, pulses in
      let last = feed.current.snapshot
      feed.show(
        Snapshot(version: index + 1, state: [], pulses: UInt64(pulses), after: last)
      )
      return feed.current.snapshot?.hasNewPulse
    }
    #expect(changes == [false, true, false, true, true, false, true])
  }

  @Test func `wakes its followers at each change, until they leave`() {
    let feed = SnapshotFeed()
    let wakes = Tally()
    let following = feed.follow { wakes.add("wake") }
    feed.show(Snapshot(version: 1, state: []))
    feed.show(nil, isSettled: false)
    feed.end(.deleted)
    feed.unfollow(following)
    feed.show(Snapshot(version: 2, state: []))
    #expect(wakes.all == ["wake", "wake"])
    #expect(feed.followers == 0)
  }
}

struct `A snapshot` {
  @Test func `returns its other forms during its compression`() {
    let snapshot = Snapshot(version: 2, state: [1, 2])
    let kind = ObjectIdentifier(Snapshot.self)
    let form = snapshot.compressed { snapshot in
      // Runs on a thread that must not wait.
      #expect(!snapshot.isCompressed)
      #expect(snapshot.bytes(in: kind) { _ in [3] } == [3])
      #expect(snapshot.patch(from: 1) { [4] } == [4])
      return nil
    }
    #expect(form == nil && !snapshot.isCompressed)
    #expect(snapshot.compressed { _ in Snapshot.Form([5]) }?.bytes == [5])
    #expect(snapshot.compressed { _ in nil }?.bytes == [5] && snapshot.isCompressed)
  }
}
