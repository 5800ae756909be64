import UIFusionKit

/// A clock that counts a hundredth of the time that passes, though who sleeps by it is woken in time.
struct SlowClock: TimeSource {
  private let time: SimulatedTime

  init(_ time: SimulatedTime) {
    self.time = time
  }

  var now: Duration { time.now / 100 }

  nonisolated(nonsending) func sleep(until deadline: Duration) async throws {
    try await time.sleep(until: time.now + (deadline - now))
  }
}
