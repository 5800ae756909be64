import Dispatch
import FusionSessions
import Synchronization

/// Measures how much memory is in use, sets a host's gauge, and logs what changes.
///
/// On a queue of its own: what fills the memory may well keep the pool busy, too.
final class MemoryWatch: Sendable {
  private let gauge: MemoryGauge
  private let pressure: Mutex<MemoryPressure>
  private let used: @Sendable () -> Int
  private let log: Log
  private let queue = DispatchQueue(label: "memory", qos: .userInitiated)

  init(_ gauge: MemoryGauge, limit: Int, used: @escaping @Sendable () -> Int, _ log: Log) {
    self.gauge = gauge
    self.used = used
    self.log = log
    pressure = Mutex(MemoryPressure(limit: limit))
  }

  /// Measures once.
  func measure() {
    let used = used()
    let (before, now) = pressure.withLock { pressure in
      let before = pressure
      pressure.update(used: used)
      return (before, pressure)
    }
    gauge.set(isShort: now.isHigh, isFull: now.isFull)
    report(now, after: before, used)
  }

  /// Measures twenty times a second from now on, for as long as somebody holds this.
  func start() {
    queue.asyncAfter(deadline: .now() + .milliseconds(50)) { [weak self] in
      guard let self else { return }
      measure()
      start()
    }
  }

  private func report(_ pressure: MemoryPressure, after before: MemoryPressure, _ used: Int) {
    let used = ("used", "\(used)")
    let limit = ("max-memory", "\(pressure.limit)")
    if pressure.isHigh, !before.isHigh {
      log.warning(
        "two thirds of --max-memory are in use: idle sessions sleep after one second",
        used,
        limit
      )
    }
    if pressure.isFull, !before.isFull {
      log.warning("--max-memory is in use: what takes more is refused", used, limit)
    } else if before.isFull, !pressure.isFull {
      log.info("--max-memory is not in use any more: nothing is refused for it", used, limit)
    }
  }
}
