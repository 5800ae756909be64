import FusionSessions
import Testing
import UIFusionKit
import UIFusionTesting

struct `Timeouts of held requests` {
  private let clock = TestClock()
  private let tally = Tally()

  private func start(_ timeouts: Timeouts, _ name: String, after seconds: Double)
    -> Timeouts.Timeout
  {
    timeouts.start(after: .seconds(seconds)) { [tally] in tally.add(name) }
  }

  @Test func `fire at their time, in order, whatever the order of starting`() async {
    let timeouts = Timeouts(clock.dependencies)
    for seconds in [5.0, 2, 9, 1, 7, 2.5] { _ = start(timeouts, "\(seconds)", after: seconds) }
    await clock.idle()
    #expect(clock.sleepers == 1)
    await clock.advance(by: .seconds(2))
    #expect(tally.all == ["1.0", "2.0"])
    _ = start(timeouts, "late", after: 1)
    await clock.advance(by: .seconds(7))
    #expect(tally.all == ["1.0", "2.0", "2.5", "late", "5.0", "7.0", "9.0"])
    #expect(timeouts.count == 0 && clock.sleepers == 0)
  }

  @Test func `that are stopped do not fire, and leave nothing in memory`() async {
    let timeouts = Timeouts(clock.dependencies)
    let kept = start(timeouts, "kept", after: 60)
    for number in 1...10_000 {
      timeouts.stop(start(timeouts, "\(number)", after: Double(1 + number % 60)))
    }
    #expect(timeouts.count == 1)
    await clock.idle()
    #expect(clock.sleepers == 1)
    await clock.advance(by: .seconds(60))
    timeouts.stop(kept)
    #expect(tally.all == ["kept"])
    #expect(clock.sleepers == 0)
  }

  @Test func `with a duration of zero fire at once`() {
    let timeouts = Timeouts(clock.dependencies)
    _ = start(timeouts, "now", after: 0)
    #expect(tally.all == ["now"])
  }

  @Test func `fire at once when they are ended, and from then on`() async {
    let timeouts = Timeouts(clock.dependencies)
    _ = start(timeouts, "a", after: 5)
    await clock.idle()
    timeouts.end()
    #expect(tally.all == ["a"])
    _ = start(timeouts, "b", after: 5)
    #expect(tally.all == ["a", "b"])
    await clock.advance(by: .seconds(60))
    #expect(tally.all == ["a", "b"])
    #expect(clock.sleepers == 0)
  }

  @Test func `end when they are released`() async {
    do {
      let timeouts = Timeouts(clock.dependencies)
      _ = start(timeouts, "never", after: 5)
      await clock.idle()
    }
    await clock.idle()
    #expect(clock.sleepers == 0)
    #expect(tally.all == [])
  }

  @Test func `started on many threads fire once each`() async {
    let timeouts = Timeouts(clock.dependencies)
    await withTaskGroup { group in
      for thread in 0..<8 {
        group.addTask {
          for number in 0..<500 {
            let timeout = start(timeouts, "x", after: Double((thread * 7 + number * 13) % 60 + 1))
            if number % 2 == 0 { timeouts.stop(timeout) }
          }
        }
      }
    }
    await clock.advance(by: .seconds(60))
    #expect(tally.all.count == 2_000)
    #expect(timeouts.count == 0 && clock.sleepers == 0)
  }
}
