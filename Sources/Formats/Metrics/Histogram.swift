/// How often durations fell below certain bounds: two atomic additions each time.
package final class Histogram: Sendable {
  /// The upper bounds in nanoseconds, ascending.
  private let bounds: [Int]
  /// How many fell between a bound and the one before, and beyond the last.
  private let counts: [Counter]
  private let nanoseconds = Counter()

  /// Bounds from 50 µs, about the least that an Input takes over a socket, to 10 s.
  package static let latencies: [Duration] = [
    .microseconds(50), .microseconds(100), .microseconds(250), .microseconds(500),
    .milliseconds(1), .milliseconds(2.5), .milliseconds(5), .milliseconds(10), .milliseconds(25),
    .milliseconds(50), .milliseconds(100), .milliseconds(250), .seconds(1), .seconds(2.5),
    .seconds(5), .seconds(10),
  ]

  package init(_ bounds: [Duration] = latencies) {
    self.bounds = bounds.map(\.nanoseconds)
    counts = (0...bounds.count).map { _ in Counter() }
  }

  package func observe(_ duration: Duration) {
    observe(nanoseconds: duration.nanoseconds)
  }

  package func observe(nanoseconds value: Int) {
    var place = 0
    // Most are short: from the left, a few comparisons.
    while place < bounds.count, value > bounds[place] { place += 1 }
    counts[place].add()
    nanoseconds.add(value)
  }

  /// How many it has seen.
  package var count: Int { counts.reduce(0) { $0 + $1.value } }

  /// What the text format shows: each bound in seconds with the number of those not above it.
  var buckets: [(bound: Double, count: Int)] {
    var count = 0
    return zip(bounds + [.max], counts).map { bound, counter in
      count += counter.value
      return (bound == .max ? .infinity : Double(bound) / 1e9, count)
    }
  }

  /// All of them together, in seconds.
  var sum: Double { Double(nanoseconds.value) / 1e9 }
}

extension Duration {
  fileprivate var nanoseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) &* 1_000_000_000 &+ Int(attoseconds / 1_000_000_000)
  }
}
