import Sessions
import UIFusionKit

/// How much of the memory that a service may have is in use, and what follows from it.
struct MemoryPressure {
  /// In bytes.
  let limit: Int
  /// Sessions should not stay awake for nothing: from two thirds of the limit on, until it is half.
  private(set) var isHigh = false
  /// What takes more memory is to be refused: from the limit on, until it is seven eighths.
  private(set) var isFull = false

  init(limit: Int) {
    self.limit = limit
  }

  mutating func update(used: Int) {
    isHigh = used > (isHigh ? limit / 2 : limit / 3 * 2)
    isFull = used > (isFull ? limit / 8 * 7 : limit)
  }
}

extension SessionHost {
  /// Looks ten times a second how much memory is in use: puts idle sessions to sleep while the pressure is
  /// high, gives back what that frees, and has what takes more refused while it is full; for as long as the
  /// task runs.
  func relieve(
    _ pressure: MemoryPressure,
    used: () -> Int,
    _ time: any TimeSource,
    _ log: Log
  ) async throws {
    var pressure = pressure
    var sleepAgain = Duration.zero
    while true {
      try await time.sleep(for: .milliseconds(100))
      let before = pressure
      let used = used()
      pressure.update(used: used)
      memory.set(isFull: pressure.isFull)
      log.report(pressure, after: before, used: used)
      guard pressure.isHigh, time.now >= sleepAgain else { continue }
      let count = await putIdleToSleep(after: .seconds(1))
      // To look for what there is not costs time as well.
      sleepAgain = time.now + .seconds(count > 0 ? 1 : 5)
      releaseFreeMemory()
    }
  }
}

extension Log {
  fileprivate func report(_ pressure: MemoryPressure, after before: MemoryPressure, used: Int) {
    let fields = [("used", "\(used)"), ("max-memory", "\(pressure.limit)")]
    if pressure.isHigh, !before.isHigh {
      warning(
        "two thirds of the memory are in use: idle sessions go to sleep at once",
        fields[0],
        fields[1]
      )
    }
    if pressure.isFull, !before.isFull {
      warning("the memory is full: what takes more is refused", fields[0], fields[1])
    } else if before.isFull, !pressure.isFull {
      info("the memory is not full any more", fields[0], fields[1])
    }
  }
}
