import Synchronization

/// Everything that is counted or can be measured here, by name, and its text for Prometheus.
///
/// A counter or histogram is made once, kept by who counts, and costs an atomic addition or two. What
/// can be asked for at any time is given as a closure and called when the text is made:
///
/// ```swift
/// let commits = metrics.counter("uifusion_store_commits_total", "Commits of the store.")
/// metrics.gauge("uifusion_sessions", "Sessions that live.") { Double(host.count) }
/// ```
package final class Metrics: Sendable {
  private let families = Mutex<[Family]>([])

  package init() {}

  /// A count from now on; where it has a name already, with other labels, one more of that family.
  package func counter(
    _ name: String,
    _ help: String,
    _ labels: KeyValuePairs<String, String> = [:]
  )
    -> Counter
  {
    let counter = Counter()
    add(name, help, .counter, labels) { .number(Double(counter.value)) }
    return counter
  }

  package func histogram(
    _ name: String,
    _ help: String,
    bounds: [Duration] = Histogram.latencies
  ) -> Histogram {
    let histogram = Histogram(bounds)
    add(name, help, .histogram, [:]) { .histogram(histogram) }
    return histogram
  }

  /// A value that goes up and down; asked for on any thread, and must not wait.
  package func gauge(
    _ name: String,
    _ help: String,
    read: @escaping @Sendable () -> Double
  ) {
    add(name, help, .gauge, [:]) { .number(read()) }
  }

  /// Prometheus's text format 0.0.4.
  package var text: [UInt8] {
    // A value's closure may be anybody's code: it is called outside the lock.
    families.withLock { $0 }.reduce(into: []) { $1.append(to: &$0) }
  }

  package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  private func add(
    _ name: String,
    _ help: String,
    _ kind: Family.Kind,
    _ labels: KeyValuePairs<String, String>,
    read: @escaping @Sendable () -> Family.Value
  ) {
    let sample = Family.Sample(labels: Family.text(labels), read: read)
    families.withLock { families in
      if let index = families.firstIndex(where: { $0.name == name }) {
        families[index].samples.append(sample)
      } else {
        families.append(Family(name: name, help: help, kind: kind, samples: [sample]))
      }
    }
  }
}
