import UIFusionKit

/// The figures of a load, for people.
struct LoadReport: Sendable {
  /// The number of Inputs that were due.
  let wanted: Int
  let duration: Duration
  /// The time from when each Input was due until it was answered, the shortest first.
  let latencies: [Duration]
  let runs: Int
  let failures: [(step: ScenarioStep, lines: [String])]

  /// Whether all Inputs that were due are answered.
  var isWhole: Bool { latencies.count >= wanted }

  var text: String {
    let seconds = duration / .seconds(1)
    var lines = [
      "\(latencies.count) of \(wanted) Inputs answered in \(rounded(seconds)) s, "
        + "\(rounded(Double(latencies.count) / seconds)) a second",
      "\(runs) runs of the scenario, \(failures.count) failed",
    ]
    if !isWhole {
      lines.append("\(wanted - latencies.count) Inputs were not sent in time, or not answered;")
      lines.append("the figures are of the others. A slow service, or too few --sessions?")
    }
    for (step, reasons) in failures.prefix(3) {
      lines.append("  line \(step.line)  \(step.title)")
      lines += reasons.map { "    \($0)" }
    }
    if !latencies.isEmpty {
      let places = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999), ("max", 1)]
      let figures = places.map { "\($0.0) \(rounded(latency(at: $0.1).inMilliseconds))" }
      lines.append(
        "ms from when an Input was due to its answer: " + figures.joined(separator: ", ")
      )
      lines += histogram
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The latency that a part of all does not exceed.
  func latency(at part: Double) -> Duration {
    guard !latencies.isEmpty else { return .zero }
    let rank = Int((part * Double(latencies.count)).rounded(.up)) - 1
    return latencies[min(max(0, rank), latencies.count - 1)]
  }

  /// A line for each power of two in milliseconds, from the first to the last that has Inputs.
  private var histogram: [String] {
    var counts: [Int: Int] = [:]
    for latency in latencies {
      var (power, limit) = (-3, 0.125)
      while latency.inMilliseconds >= limit, power < 30 { (power, limit) = (power + 1, limit * 2) }
      counts[power, default: 0] += 1
    }
    guard let first = counts.keys.min(), let last = counts.keys.max() else { return [] }
    let most = counts.values.max() ?? 1
    return (first...last).map { power in
      let count = counts[power] ?? 0
      let limit = power < 0 ? 1 / Double(1 << -power) : Double(1 << power)
      let name = power < 0 ? "\(limit)" : "\(Int(limit))"
      let bar = String(repeating: "█", count: (40 * count + most - 1) / most)
      let cells = [padded("< \(name) ms", 14), padded("\(count)", 9)]
      return "  " + cells.joined() + bar
    }
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  private func rounded(_ number: Double) -> String {
    "\((number * 10).rounded() / 10)"
  }
}
