import FoundationEssentials
package import UIFusionKit

/// Translates between the process's time, which all that runs goes by, and the calendar's, which is
/// stored.
///
/// The two are compared once, at the start: a calendar that is set anew means nothing to what runs.
package struct WallClock: Sendable {
  private let start: WallTime
  private let time: any TimeSource

  package init(_ dependencies: Dependencies) {
    time = dependencies.time
    let now = dependencies.date().timeIntervalSince1970
    start = WallTime(milliseconds: Int64(now * 1000)) - dependencies.time.now
  }

  package var now: WallTime { wallTime(at: time.now) }

  package func wallTime(at time: Duration) -> WallTime { start + time }

  /// May be before the process's start, and thus negative.
  package func time(at wallTime: WallTime) -> Duration {
    .milliseconds(wallTime.milliseconds - start.milliseconds)
  }
}
