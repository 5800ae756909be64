import Dispatch
import FusionMetrics
import Testing

struct `All metrics` {
  private let metrics = Metrics()
  private var text: String { String(decoding: metrics.text, as: UTF8.self) }

  @Test func `are written in Prometheus's text format`() {
    let deleted = metrics.counter("ended_total", "Sessions that ended.", ["reason": "deleted"])
    let other = metrics.counter("ended_total", "Sessions that ended.", ["reason": "a\"b\\c\nd"])
    metrics.gauge("load", "A share\nof all \\ \"this\".") { 0.5 }
    deleted.add()
    other.add(41)
    other.add()
    #expect(
      text == #"""
        # HELP ended_total Sessions that ended.
        # TYPE ended_total counter
        ended_total{reason="deleted"} 1
        ended_total{reason="a\"b\\c\nd"} 42
        # HELP load A share\nof all \\ "this".
        # TYPE load gauge
        load 0.5

        """#
    )
  }

  @Test func `of durations are counted below each bound`() {
    let histogram = metrics.histogram(
      "wait_seconds",
      "Waits.",
      bounds: [.milliseconds(1), .seconds(1)]
    )
    for duration: Duration in [.zero, .milliseconds(1), .milliseconds(2), .seconds(2)] {
      histogram.observe(duration)
    }
    #expect(
      text == """
        # HELP wait_seconds Waits.
        # TYPE wait_seconds histogram
        wait_seconds_bucket{le="0.001"} 2
        wait_seconds_bucket{le="1"} 3
        wait_seconds_bucket{le="+Inf"} 4
        wait_seconds_sum 2.003
        wait_seconds_count 4

        """
    )
  }

  @Test func `add up to the greatest number, however great or small their parts`() {
    let histogram = metrics.histogram("wait_seconds", "Waits.", bounds: [.seconds(1)])
    let counter = metrics.counter("bytes_total", "Bytes.")
    let parts: [Int128] = [.max, .min, 1 << 100, -1, 9_000_000_000_000_000_000_000_000_000, 0]
    for _ in 0..<10 {
      for part in parts {
        histogram.observe(Duration(attoseconds: part))
        histogram.observe(nanoseconds: Int(clamping: part))
        counter.add(Int(clamping: part))
      }
    }
    #expect(counter.value == .max && histogram.count == 120)
    #expect(text.contains("wait_seconds_sum 9223372036.854776\n"))
    #expect(text.contains(#"wait_seconds_bucket{le="1"} 60"#))
  }

  @Test func `kept elsewhere are read when they are written, with their current labels`() {
    let histogram = Histogram([.milliseconds(1)])
    let (one, two): (KeyValuePairs, KeyValuePairs) = (["by": "a"], ["by": "a", "for": "b"])
    metrics.counters("asked_total", "Asked.") { [(labels: two, count: Double(histogram.count))] }
    metrics.histograms("asked_seconds", "Asked.") { [(labels: one, histogram: histogram)] }
    metrics.gauge("info", "Info.", ["version": "1"]) { 1 }
    histogram.observe(.milliseconds(2))
    #expect(
      text == """
        # HELP asked_total Asked.
        # TYPE asked_total counter
        asked_total{by="a",for="b"} 1
        # HELP asked_seconds Asked.
        # TYPE asked_seconds histogram
        asked_seconds_bucket{by="a",le="0.001"} 0
        asked_seconds_bucket{by="a",le="+Inf"} 1
        asked_seconds_sum{by="a"} 0.002
        asked_seconds_count{by="a"} 1
        # HELP info Info.
        # TYPE info gauge
        info{version="1"} 1

        """
    )
  }

  @Test func `lose no counts of concurrent threads`() {
    let counter = metrics.counter("all_total", "All.")
    let histogram = metrics.histogram("all_seconds", "All.")
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<10_000 {
        counter.add()
        histogram.observe(.microseconds(1))
      }
    }
    #expect(counter.value == 80_000)
    #expect(text.contains("all_seconds_count 80000\n"))
  }
}
