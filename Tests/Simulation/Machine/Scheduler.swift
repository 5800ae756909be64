import Glibc
import UIFusionKit

/// Runs everything in a simulation, one job at a time, in an order that a seed decides.
///
/// The next job is picked at random. If none is ready, the virtual clock jumps to the earliest deadline.
final class Scheduler: @unchecked Sendable {
  // Guard: only one thread uses it; `checkThread()` stops the process on any other.
  private enum Item {
    case job(UnownedJob, SimulatedExecutor)
    case call(() -> Void)
  }

  private struct Timer {
    let number: Int
    let deadline: Duration
    let action: () -> Void
  }

  private(set) var now = Duration.zero
  private(set) var trace: Trace
  private(set) var steps = 0
  /// The first violation, after which nothing runs.
  private(set) var violation: String?
  var coverage = Coverage()
  /// Checks the world whenever no job is ready.
  var atRest: () -> Void = {}

  private let seed: UInt64
  private let random: RandomSource
  private let thread = pthread_self()
  private var ready: [Item] = []
  private var timers: [Timer] = []
  private var timersStarted = 0

  /// The rules that are not enforced.
  private let excused: Set<Rule>

  init(seed: UInt64, excusing excused: Set<Rule> = [], isTracing: Bool = false) {
    self.seed = seed
    self.excused = excused
    random = RandomSource(seed: seed)
    trace = Trace(isKeepingLines: isTracing)
  }

  func checkThread() {
    precondition(pthread_self() == thread, "seed \(seed): a job has left the simulation")
  }

  // MARK: Chance

  func below(_ limit: Int) -> Int {
    Int(random.next() % UInt64(limit))
  }

  func chance(_ percent: Int) -> Bool {
    below(100) < percent
  }

  func duration(upTo limit: Duration) -> Duration {
    .microseconds(below(max(1, limit.inMicroseconds)))
  }

  // MARK: Noting

  func note(_ value: Int, _ text: @autoclosure () -> String) {
    trace.add(value, at: now, text)
  }

  func fail(_ rule: Rule, _ text: @autoclosure () -> String) {
    guard violation == nil, !excused.contains(rule) else { return }
    violation = "\(rule.rawValue): \(text())"
    trace.add(-1, at: now) { "VIOLATION: \(violation ?? "")" }
  }

  // MARK: Running

  func enqueue(_ job: UnownedJob, of executor: SimulatedExecutor) {
    ready.append(.job(job, executor))
  }

  /// Runs an action soon, in an order that the seed decides.
  func soon(_ body: @escaping () -> Void) {
    checkThread()
    ready.append(.call(body))
  }

  /// Runs an action after a duration; returns the timer for ``stop(_:)``.
  @discardableResult
  func after(_ duration: Duration, _ action: @escaping () -> Void) -> Int {
    at(now + duration, action)
  }

  @discardableResult
  func at(_ deadline: Duration, _ action: @escaping () -> Void) -> Int {
    checkThread()
    timersStarted += 1
    timers.append(Timer(number: timersStarted, deadline: deadline, action: action))
    return timersStarted
  }

  /// Stops a timer; returns whether its action was still pending.
  @discardableResult
  func stop(_ timer: Int) -> Bool {
    guard let place = timers.firstIndex(where: { $0.number == timer }) else { return false }
    timers.remove(at: place)
    return true
  }

  /// Removes and returns the ready jobs of one executor.
  func removeJobs(of executor: SimulatedExecutor) -> [UnownedJob] {
    var jobs: [UnownedJob] = []
    ready.removeAll { item in
      guard case .job(let job, let other) = item, other === executor else { return false }
      jobs.append(job)
      return true
    }
    return jobs
  }

  /// Runs until a condition holds while no job is ready; returns false if that takes longer than the limit.
  func run(atMost limit: Duration, until isDone: () -> Bool) -> Bool {
    let end = now + limit
    while violation == nil {
      while violation == nil, !ready.isEmpty { step() }
      atRest()
      guard violation == nil else { return false }
      if isDone() { return true }
      guard let next = timers.map(\.deadline).min(), next <= end else {
        now = max(now, end)
        return false
      }
      now = max(now, next)
      trace.add(0, at: now) { nil }
      while let place = timers.firstIndex(where: { $0.deadline <= now }) {
        ready.append(.call(timers.remove(at: place).action))
      }
    }
    return false
  }

  /// Runs for a duration.
  func run(for duration: Duration) {
    _ = run(atMost: duration) { false }
  }

  private func step() {
    steps += 1
    guard steps < 1_000_000 else { return fail(.answered, "the simulation never comes to rest") }
    let place = ready.count == 1 ? 0 : below(ready.count)
    trace.add(ready.count << 16 | place, at: now) { nil }
    ready.swapAt(place, ready.count - 1)
    switch ready.removeLast() {
    case .job(let job, let executor): job.runSynchronously(on: executor.asUnownedTaskExecutor())
    case .call(let body): body()
    }
  }
}

extension Duration {
  var inMicroseconds: Int {
    Int(components.seconds) * 1_000_000 + Int(components.attoseconds / 1_000_000_000_000)
  }
}
