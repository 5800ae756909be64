import Synchronization

/// A registry of metrics by name, with their text for Prometheus.
///
/// A counter or histogram is created once and kept by its user. A gauge is a closure that is called when the
/// text is written:
///
/// ```swift
/// let commits = metrics.counter("uifusion_store_commits_total", "Commits of the store.")
/// metrics.gauge("uifusion_sessions", "Sessions that live.") { Double(host.count) }
/// ```
package final class Metrics: Sendable {
  private let families = Mutex<[Family]>([])

  package init() {}

  /// Creates a counter; a second one with the same name and other labels joins the first one's family.
  package func counter(
    _ name: String,
    _ help: String,
    _ labels: KeyValuePairs<String, String> = [:]
  )
    -> Counter
  {
    let counter = Counter()
    let text = Family.text(labels)
    add(name, help, .counter) {
      [Family.Sample(labels: text, value: .number(Double(counter.value)))]
    }
    return counter
  }

  /// Creates a counter for each value of a label, in order.
  package func counters<Value: CaseIterable & Hashable & RawRepresentable<String>>(
    _ name: String,
    _ help: String,
    by label: String
  ) -> [Value: Counter] {
    let pairs = Value.allCases.map { ($0, counter(name, help, [label: $0.rawValue])) }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  /// Adds counts that are maintained elsewhere, with labels that may change.
  ///
  /// `read` is called on any thread and must not block.
  package func counters(
    _ name: String,
    _ help: String,
    read: @escaping @Sendable () -> [(labels: KeyValuePairs<String, String>, count: Double)]
  ) {
    add(name, help, .counter) {
      read().map { Family.Sample(labels: Family.text($0.labels), value: .number($0.count)) }
    }
  }

  /// Creates a histogram; see ``counter(_:_:_:)``.
  package func histogram(
    _ name: String,
    _ help: String,
    _ labels: KeyValuePairs<String, String> = [:],
    bounds: [Duration] = Histogram.latencies
  ) -> Histogram {
    let histogram = Histogram(bounds)
    let text = Family.text(labels)
    add(name, help, .histogram) { [Family.Sample(labels: text, value: .histogram(histogram))] }
    return histogram
  }

  /// Adds histograms that are maintained elsewhere; see ``counters(_:_:read:)``.
  package func histograms(
    _ name: String,
    _ help: String,
    read:
      @escaping @Sendable () -> [(labels: KeyValuePairs<String, String>, histogram: Histogram)]
  ) {
    add(name, help, .histogram) {
      read().map { Family.Sample(labels: Family.text($0.labels), value: .histogram($0.histogram)) }
    }
  }

  /// Adds a value that goes up and down; `read` is called on any thread and must not block.
  package func gauge(
    _ name: String,
    _ help: String,
    _ labels: KeyValuePairs<String, String> = [:],
    read: @escaping @Sendable () -> Double
  ) {
    let text = Family.text(labels)
    add(name, help, .gauge) { [Family.Sample(labels: text, value: .number(read()))] }
  }

  /// All metrics in the Prometheus text format 0.0.4.
  package var text: [UInt8] {
    // Closures are called outside the lock, since they may call back.
    families.withLock { $0 }.reduce(into: []) { $1.append(to: &$0) }
  }

  package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  private func add(
    _ name: String,
    _ help: String,
    _ kind: Family.Kind,
    _ source: @escaping @Sendable () -> [Family.Sample]
  ) {
    families.withLock { families in
      if let index = families.firstIndex(where: { $0.name == name }) {
        families[index].sources.append(source)
      } else {
        families.append(Family(name: name, help: help, kind: kind, sources: [source]))
      }
    }
  }
}
