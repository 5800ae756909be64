import Glibc
import Synchronization

/// A number that only grows, up to the greatest `Int`; counting takes one atomic addition.
package final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  package init() {}

  /// Adds to the count; ignores a negative number.
  package func add(_ more: Int = 1) {
    guard more > 0 else { return }
    let (old, new) = count.wrappingAdd(more, ordering: .relaxed)
    if new < old { count.store(.max, ordering: .relaxed) }
  }

  /// The count; negative only while another thread sets it to the greatest.
  package var value: Int {
    let value = count.load(ordering: .relaxed)
    return value < 0 ? .max : value
  }
}

/// Counts of durations by upper bounds; observing one takes two atomic additions.
package final class Histogram: Sendable {
  /// The upper bounds in nanoseconds, ascending.
  private let bounds: [Int]
  /// The number of durations in each bucket, including one above the last bound.
  private let counts: [Counter]
  private let nanoseconds = Counter()

  /// Bounds from 50 µs, the minimum for an Input over a socket, to 10 s.
  package static let latencies: [Duration] = [
    .microseconds(50), .microseconds(100), .microseconds(250), .microseconds(500),
    .milliseconds(1), .milliseconds(2.5), .milliseconds(5), .milliseconds(10), .milliseconds(25),
    .milliseconds(50), .milliseconds(100), .milliseconds(250), .seconds(1), .seconds(2.5),
    .seconds(5), .seconds(10),
  ]

  /// Creates a histogram with ascending bounds.
  package init(_ bounds: [Duration] = latencies) {
    self.bounds = bounds.map(\.nanoseconds)
    counts = (0...bounds.count).map { _ in Counter() }
  }

  /// Counts a duration.
  package func observe(_ duration: Duration) {
    observe(nanoseconds: duration.nanoseconds)
  }

  /// Counts a duration in nanoseconds.
  package func observe(nanoseconds value: Int) {
    var place = 0
    // Linear, since most durations are short and end the loop early.
    while place < bounds.count, value > bounds[place] { place += 1 }
    counts[place].add()
    nanoseconds.add(value)
  }

  /// The number of durations so far.
  package var count: Int { counts.reduce(0) { $0 + $1.value } }

  /// Each bound in seconds, with the number of durations up to it.
  var buckets: [(bound: Double, count: Int)] {
    var count = 0
    return zip(bounds + [.max], counts).map { bound, counter in
      count += counter.value
      return (bound == .max ? .infinity : Double(bound) / 1e9, count)
    }
  }

  /// The sum of all durations in seconds.
  var sum: Double { Double(nanoseconds.value) / 1e9 }
}

extension Duration {
  fileprivate var nanoseconds: Int { Int(clamping: attoseconds / 1_000_000_000) }
}

/// A measurement of the time since its creation.
///
/// Uses the clock of `SuspendingClock` (clock_gettime(2), CLOCK_MONOTONIC), without the cost of a
/// `Duration`'s attoseconds, since each request is measured.
package struct Stopwatch: Sendable {
  private let start = now()

  package init() {}

  /// The time since the creation in nanoseconds.
  package var nanoseconds: Int { now() - start }
}

private func now() -> Int {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
