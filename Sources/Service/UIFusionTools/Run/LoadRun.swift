import Synchronization
import UIFusionKit

/// Many runs of a scenario at once, which together send a number of Inputs a second.
struct LoadRun: Sendable {
  let run: ScenarioRun
  /// The number of Inputs that are due in a second.
  let rate: Int
  let duration: Duration
  /// The number of runs at once, each with a session of its own.
  let sessions: Int

  /// The measurements so far, of all runs.
  private final class Counts: Sendable {
    struct Values {
      var due = 0
      var isOver = false
      var latencies: [Duration] = []
      var runs = 0
      var failures: [(step: ScenarioStep, lines: [String])] = []
    }

    let values = Mutex(Values())
  }

  /// Sends Inputs until the time is over; each run that ends is followed by another.
  func callAsFunction() async -> LoadReport {
    let counts = Counts()
    let time = run.service.time
    let start = time.now
    let pace = ScenarioRun.Pace {
      let number = counts.values.withLock {
        $0.due += 1
        return $0.due - 1
      }
      let offset = Duration.seconds(1) * number / rate
      // A run that is late sends nothing after the end.
      var isDue = offset < duration
      if isDue {
        isDue =
          (try? await time.sleep(until: start + offset)) != nil
          && time.now < start + duration + .seconds(1)
      }
      if !isDue { counts.values.withLock { $0.isOver = true } }
      return isDue ? start + offset : nil
    } note: { latency in
      counts.values.withLock { $0.latencies.append(latency) }
    }
    await withDiscardingTaskGroup { group in
      for _ in 1...sessions {
        group.addTask {
          while !counts.values.withLock({ $0.isOver }) {
            var failed = false
            await run(at: pace) { result in
              guard let lines = result.failure else { return }
              failed = true
              counts.values.withLock { $0.failures.append((result.step, lines)) }
            }
            counts.values.withLock { $0.runs += 1 }
            // A service that is down is not asked as fast as that can be done.
            if failed { try? await time.sleep(for: .milliseconds(100)) }
            if time.now > start + duration { counts.values.withLock { $0.isOver = true } }
          }
        }
      }
    }
    let ended = time.now - start
    return counts.values.withLock {
      LoadReport(
        wanted: Int((duration / .seconds(1) * Double(rate)).rounded(.up)),
        duration: max(duration, ended),
        latencies: $0.latencies.sorted(),
        runs: $0.runs,
        failures: $0.failures
      )
    }
  }
}
