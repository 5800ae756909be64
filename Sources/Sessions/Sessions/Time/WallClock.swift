import FoundationEssentials
import Synchronization
package import UIFusionKit

/// A translation between the process's time, by which everything runs, and the calendar's time, which is stored.
///
/// The calendar may be set at any time. ``compare()`` compares the two anew; in between, the process's time alone
/// counts.
package final class WallClock: Sendable {
  private struct Contents {
    /// The calendar's time at the process's time zero.
    var start: WallTime
    var adjustmentCount = 0
    /// The time that is added to stored times: see ``distrust(_:)``.
    var distrusted = Duration.zero
  }

  private let contents: Mutex<Contents>
  private let dependencies: Dependencies

  package init(_ dependencies: Dependencies) {
    self.dependencies = dependencies
    contents = Mutex(Contents(start: Self.start(dependencies)))
  }

  private static func start(_ dependencies: Dependencies) -> WallTime {
    WallTime(milliseconds: dependencies.date().milliseconds) - dependencies.time.now
  }

  /// The number of times that the calendar was found to be set.
  var adjustmentCount: Int { contents.withLock { $0.adjustmentCount } }

  package var now: WallTime { wallTime(at: dependencies.time.now) }

  package func wallTime(at time: Duration) -> WallTime {
    contents.withLock { $0.start } + time
  }

  /// Returns the process's time of something that was stored; negative before the process's start.
  package func time(at wallTime: WallTime) -> Duration {
    contents.withLock { contents in
      .milliseconds(wallTime.milliseconds - contents.start.milliseconds) + contents.distrusted
    }
  }

  /// Compares the two times anew; returns by how much the calendar was set, nil if that is less than a
  /// second.
  ///
  /// Times are stored by the calendar of now, or by one that was less than a second off: smaller steps are ignored
  /// until they add up to a second.
  package func compare() -> Duration? {
    let start = Self.start(dependencies)
    return contents.withLock { contents in
      let step = Duration.milliseconds(start.milliseconds - contents.start.milliseconds)
      guard abs(step) >= .seconds(1) else { return nil }
      contents.start = start
      contents.adjustmentCount += 1
      return step
    }
  }

  /// Moves all stored times later by a gap that is not believed.
  func distrust(_ gap: Duration) {
    contents.withLock { $0.distrusted = gap }
  }
}

private func abs(_ duration: Duration) -> Duration {
  duration < .zero ? .zero - duration : duration
}

/// A point in time that means the same to the next process: milliseconds since 1970, UTC.
///
/// Any time from outside is moved into `Date.storable`, so that times can be subtracted without a check.
package struct WallTime: Hashable, Comparable, Sendable {
  package let milliseconds: Int64

  package init(milliseconds: Int64) {
    let range = Date.storable
    self.milliseconds = max(range.lowerBound, min(milliseconds, range.upperBound))
  }

  /// The end of the year 9999, the last time that can be stored.
  package static let distantFuture = WallTime(milliseconds: .max)

  package static func < (a: WallTime, b: WallTime) -> Bool {
    a.milliseconds < b.milliseconds
  }

  package static func + (time: WallTime, duration: Duration) -> WallTime {
    WallTime(milliseconds: time.milliseconds.adding(duration.milliseconds))
  }

  package static func - (time: WallTime, duration: Duration) -> WallTime {
    WallTime(milliseconds: time.milliseconds.subtracting(duration.milliseconds))
  }
}
