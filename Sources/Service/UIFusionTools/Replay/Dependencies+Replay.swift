import UIFusionKit

extension Dependencies {
  /// What a view model is given that does recorded actions again: nobody looks on or listens, and nothing
  /// waits.
  var forReplay: Dependencies {
    var dependencies = self
    dependencies.interceptors = []
    dependencies.topics = Topics()
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
