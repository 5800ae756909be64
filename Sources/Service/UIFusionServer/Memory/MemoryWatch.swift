import Dispatch
import FusionSessions
import Synchronization

/// Measures the memory in use, sets the host's gauge, and logs what changes.
///
/// Runs on its own queue: the work that fills the memory may keep the thread pool busy, too.
final class MemoryWatch: Sendable {
  private let gauge: MemoryGauge
  private let pressure: Mutex<MemoryPressure>
  private let used: @Sendable () -> Int
  private let log: Log
  private let queue = DispatchQueue(label: "memory", qos: .userInitiated)

  /// Makes a watch of this process's memory, or of its control group's; nil if the gauge has no limit.
  convenience init?(_ gauge: MemoryGauge, _ log: Log) {
    guard let limit = gauge.limit else { return nil }
    let group = MemoryLimit.own
    let used = { @Sendable in
      group.used(read: MemoryLimit.text(ofFile:)) ?? Int(processMemory().resident)
    }
    self.init(gauge, limit: limit, used: used, log)
  }

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

  /// Measures twenty times a second for as long as the watch lives.
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
      log.warning("--max-memory is in use: requests that need more are refused", used, limit)
    } else if before.isFull, !pressure.isFull {
      log.info("less than --max-memory is in use again: no request is refused for it", used, limit)
    }
  }
}

/// The pressure on a limit of memory: two levels, each with a hysteresis.
struct MemoryPressure {
  /// The limit in bytes.
  let limit: Int
  /// Whether idle sessions should sleep soon: from two thirds of the limit on, until half of it is in use.
  private(set) var isHigh = false
  /// Whether work that needs more memory is refused: from the limit on, until seven eighths are in use.
  private(set) var isFull = false

  init(limit: Int) {
    self.limit = limit
  }

  /// Takes a new measurement in bytes.
  mutating func update(used: Int) {
    isHigh = used > (isHigh ? limit / 2 : limit / 3 * 2)
    isFull = used > (isFull ? limit / 8 * 7 : limit)
  }
}
