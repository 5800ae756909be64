/// A point in time that means the same to the next process: milliseconds since 1970, UTC.
package struct WallTime: Hashable, Comparable, Sendable {
  package var milliseconds: Int64

  package init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  package static func < (a: WallTime, b: WallTime) -> Bool {
    a.milliseconds < b.milliseconds
  }

  package static func + (time: WallTime, duration: Duration) -> WallTime {
    WallTime(milliseconds: time.milliseconds + duration.inMilliseconds)
  }

  package static func - (time: WallTime, duration: Duration) -> WallTime {
    WallTime(milliseconds: time.milliseconds - duration.inMilliseconds)
  }
}

extension Duration {
  fileprivate var inMilliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
