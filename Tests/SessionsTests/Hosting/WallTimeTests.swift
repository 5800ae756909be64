import FusionSessions
import Testing
import UIFusionKit

struct `A time from a store or a clock` {
  @Test(arguments: [Int64.min, .min + 1, -1, 0, 1, 253_402_300_800_001, .max - 1, .max])
  func `is moved into the range in which times can be added and subtracted`(milliseconds: Int64) {
    let time = WallTime(milliseconds: milliseconds)
    for attoseconds in [Int128.min, -1, 0, 1, 1 << 100, .max] {
      let duration = Duration(attoseconds: attoseconds)
      for other in [time + duration, time - duration] {
        #expect(other <= .distantFuture)
        _ = other.milliseconds - time.milliseconds
        _ = Duration.milliseconds(time.milliseconds - other.milliseconds)
      }
    }
  }
}
