import FusionHTTPToolkit
import FusionMetrics

/// Counters of streams that were refused, or that their clients read too slowly.
struct StreamMetrics: Sendable {
  let refused: Counter
  let refusedForMemory: Counter
  let skipped: Counter
  let fellBehind: Counter

  init(_ metrics: Metrics, _ refusals: RefusalMetrics) {
    refused = refusals.counter(of: "max-streams")
    refusedForMemory = refusals.counter(of: "max-memory")
    skipped = metrics.counter(
      "uifusion_stream_snapshots_skipped_total",
      "Snapshots that a stream left out, as a newer one was there when its client could take one."
    )
    fellBehind = metrics.counter(
      "uifusion_streams_fell_behind_total",
      "Streams that were closed, as too much waited that must not be left out."
    )
  }
}
