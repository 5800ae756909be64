import Sessions
import UIFusionKit

/// Whether a process has so much of its memory in use that sessions should not stay awake for nothing.
struct MemoryPressure {
  /// What the process's control groups give it, in bytes.
  let limit: Int
  private(set) var isHigh = false

  init(limit: Int) {
    self.limit = limit
  }

  /// It rises at half of the limit, and falls at three eighths, so that it does not come and go.
  mutating func update(resident: Int) {
    isHigh = resident > (isHigh ? limit / 8 * 3 : limit / 2)
  }
}

extension SessionHost {
  /// Puts idle sessions to sleep at once while the pressure is high, and gives back what that frees; for as
  /// long as the task runs.
  ///
  /// Looks each second, and each fifth where it found none to put to sleep.
  func relieve(
    _ pressure: MemoryPressure,
    resident: () -> Int,
    _ time: any TimeSource,
    _ log: Log
  ) async throws {
    var pressure = pressure
    var pause = Duration.seconds(1)
    while true {
      try await time.sleep(for: pause)
      pause = .seconds(1)
      let wasHigh = pressure.isHigh
      let resident = resident()
      pressure.update(resident: resident)
      guard pressure.isHigh else { continue }
      if !wasHigh {
        log.warning(
          "more than half of the memory is in use: idle sessions go to sleep at once",
          ("resident", "\(resident)"),
          ("limit", "\(pressure.limit)")
        )
      }
      if await putIdleToSleep(after: .seconds(1)) == 0 { pause = .seconds(5) }
      releaseFreeMemory()
    }
  }
}
