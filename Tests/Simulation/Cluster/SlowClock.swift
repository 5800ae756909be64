import UIFusionKit

/// A clock that runs at a hundredth of the real speed, but whose sleeps end on time.
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
