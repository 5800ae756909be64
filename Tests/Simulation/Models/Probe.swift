/// What the view models of one process tell the simulation: that they live, and what they begin.
final class Probes: @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  /// How many view models live.
  fileprivate(set) var alive = 0
  /// Told the number whose effect begins to run.
  let effectBegan: (Int) -> Void
  let planted: Set<PlantedFault>
  private let scheduler: Scheduler

  init(
    _ scheduler: Scheduler,
    planting faults: Set<PlantedFault>,
    effectBegan: @escaping (Int) -> Void
  ) {
    self.scheduler = scheduler
    planted = faults
    self.effectBegan = effectBegan
  }

  /// Waits for a second, whatever is cancelled.
  func pause() async {
    await withUnsafeContinuation { continuation in
      scheduler.after(.seconds(1)) { continuation.resume() }
    }
  }
}

/// Lives as long as a view model.
final class Probe: Sendable {
  let all: Probes

  init(_ all: Probes) {
    self.all = all
    all.alive += 1
  }

  deinit { all.alive -= 1 }
}
