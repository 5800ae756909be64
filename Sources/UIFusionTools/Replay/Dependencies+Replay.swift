import UIFusionKit

extension Dependencies {
  /// What a view model is given that does recorded actions again: nobody looks on, and nothing waits.
  var forReplay: Dependencies {
    var dependencies = self
    dependencies.interceptors = []
    dependencies.time = TimeWithoutWaiting(time: time)
    return dependencies
  }
}

/// A `mutate` that waits need not wait again.
private struct TimeWithoutWaiting: TimeSource {
  let time: any TimeSource

  var now: Duration { time.now }

  nonisolated(nonsending) func sleep(until deadline: Duration) async throws {}
}
