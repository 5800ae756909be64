import FusionMetrics
import Synchronization
import UIFusionKit

/// Counts the turns that have taken long, by view model and Input.
///
/// A session's id is in the log alone: each would be another series.
final class SlowTurnMetrics: Sendable {
  private struct Key: Hashable {
    let viewModel: String
    let input: String
  }

  /// The most series; the names of further Inputs are left out.
  private static let limit = 256

  private let counts = Mutex<[Key: (turns: Int, seconds: Double)]>([:])

  init(_ metrics: Metrics) {
    metrics.counters("uifusion_slow_turns_total", "Turns that took longer than --slow-turn.") {
      [weak self] in self?.samples { Double($0.turns) } ?? []
    }
    metrics.counters(
      "uifusion_slow_turns_seconds_total",
      "The time that turns longer than --slow-turn took."
    ) { [weak self] in self?.samples { $0.seconds } ?? [] }
  }

  func count(_ slow: SlowTurn, of viewModel: String) {
    counts.withLock { counts in
      var key = Key(viewModel: viewModel, input: slow.name)
      if counts[key] == nil, counts.count >= Self.limit {
        key = Key(viewModel: viewModel, input: "")
      }
      counts[key, default: (0, 0)].turns += 1
      counts[key, default: (0, 0)].seconds += slow.duration / .seconds(1)
    }
  }

  private func samples(
    _ value: ((turns: Int, seconds: Double)) -> Double
  ) -> [(labels: KeyValuePairs<String, String>, count: Double)] {
    counts.withLock { counts in
      counts.sorted { ($0.key.viewModel, $0.key.input) < ($1.key.viewModel, $1.key.input) }
        .map { (["view_model": $0.key.viewModel, "input": $0.key.input], value($0.value)) }
    }
  }
}
